"""The crash test: a load that keeps its own list of what was acknowledged, and the kills."""
