"""The HTTP and WebSocket interfaces of the room."""
