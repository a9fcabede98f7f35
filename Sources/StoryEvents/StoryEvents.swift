// StoryEvents
