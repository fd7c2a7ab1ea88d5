"""Chaos Ninjas, the sister game of CHI: rules, texts, pictures and a bot."""
