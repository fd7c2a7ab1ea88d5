"""Tables in memory: seats, clocks, bots and viewers, and the storage of tables."""
