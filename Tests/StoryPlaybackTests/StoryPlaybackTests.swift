// StoryPlaybackTests
