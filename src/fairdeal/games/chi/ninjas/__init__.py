"""Chaos Ninjas, the sister of CHI: rules, notation, words, pictures and a bot."""
