"""One folder a game; a game imports the engine and nothing else of fairdeal."""
