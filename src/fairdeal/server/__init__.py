"""The card room: tables over HTTP and WebSocket, kept in a database, drawn by one browser client."""
