"""Services beside play: analyses of finished games, and webhooks."""
