"""CHIMAX MATCH-2 and MATCH-3: notation, positions, prompts, and reasons why moves are illegal."""
