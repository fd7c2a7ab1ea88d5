"""CHIP IT, by Chikasuzu, published by AMIGO."""
