"""The protocol of a room: its WebSocket messages and HTTP bodies, for server and terminal.

Rooms and programs of different versions understand each other: what a room sends may have fields that its reader does
not know, and a field that is added later has a default. Requests and their bodies may have known fields only.
"""
