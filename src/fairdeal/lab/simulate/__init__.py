"""Play many games in threads, processes or on a cluster, and collect their outcomes."""
