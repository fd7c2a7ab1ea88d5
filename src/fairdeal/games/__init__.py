"""The games, one in each folder. A game imports only the engine, and no other part of fairdeal."""
