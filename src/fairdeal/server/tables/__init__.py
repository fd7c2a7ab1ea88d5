"""Tables in memory: seats, clocks, bots, viewers, and how a table is saved."""
