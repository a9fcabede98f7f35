// StoryPlayback
