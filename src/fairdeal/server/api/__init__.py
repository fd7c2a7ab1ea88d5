"""The room's HTTP and WebSocket interfaces."""
