"""One sitting: seats, the move log, the committed deal, replay and verification."""
