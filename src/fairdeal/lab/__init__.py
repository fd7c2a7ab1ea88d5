"""Studies: simulation, case files, counting of moves."""
