"""The protocol of a room: WebSocket messages and HTTP bodies, for the server and the terminal.

Rooms and programs of different versions can communicate: a message from a room may have fields that its reader does not
know, and a field added later has a default. Requests and their bodies may have only known fields.
"""
