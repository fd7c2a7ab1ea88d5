"""Simulations, studies, ladders, datasets, case files and perft."""
