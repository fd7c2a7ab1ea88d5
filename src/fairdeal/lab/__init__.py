"""Simulations, studies, ladders, datasets, case files, mutation testing and perft."""
