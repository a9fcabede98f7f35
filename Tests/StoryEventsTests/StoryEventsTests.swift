// StoryEventsTests
