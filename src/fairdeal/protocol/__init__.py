"""The protocol of a room: the messages of its WebSocket and the bodies of its HTTP part, for server and terminal.

Rooms and programs of different versions understand each other: what a room sends may have fields that its reader does
not know, and a field that is added later has a default. Requests and their bodies may hold known fields only.
"""
