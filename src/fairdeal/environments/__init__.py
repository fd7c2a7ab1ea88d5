"""The games as environments for reinforcement learning."""
