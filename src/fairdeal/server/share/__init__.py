"""The picture of a finished game for link previews."""
