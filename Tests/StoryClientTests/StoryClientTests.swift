// StoryClientTests: the recorder and the queue on real files, and the uploader against a real collector.
