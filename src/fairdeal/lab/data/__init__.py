"""Datasets of simulated games as Parquet files."""
