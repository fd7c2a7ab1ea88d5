"""The room on the network: its sockets and connections, the addresses of its machine, and those of its links."""
