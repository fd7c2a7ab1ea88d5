"""CHIP IT: notation, positions, prompts and explanations."""
