"""CHIMAX ORDER: notation, positions, prompts, and reasons why moves are illegal."""
