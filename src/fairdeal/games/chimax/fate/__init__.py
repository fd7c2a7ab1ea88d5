"""CHIMAX FATE: the wheel names a face, and somewhere it lies."""
