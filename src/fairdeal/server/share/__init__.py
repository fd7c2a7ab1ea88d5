"""The picture of a finished game, which the preview of its link shows."""
