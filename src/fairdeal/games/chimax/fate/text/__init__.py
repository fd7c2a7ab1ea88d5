"""CHIMAX FATE: notation, positions, prompts, and reasons why moves are illegal."""
