"""CHIMAX BOOKS: notation, positions, prompts, and reasons why moves are illegal."""
