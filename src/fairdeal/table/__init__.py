"""A sitting at a table: seats, the move log, the committed deal, replay and verification."""
