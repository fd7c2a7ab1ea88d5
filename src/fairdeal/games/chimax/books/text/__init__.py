"""CHIMAX BOOKS: notation, positions, prompts and explanations."""
