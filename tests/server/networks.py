"""Networks for rooms of tests: other addresses of the loopback range, at which nobody else listens."""

import re
from functools import partial

from fairdeal.server.network import addresses
from fairdeal.server.network.addresses import Network

OWN = re.compile(r"127\.0\.0\.1|::1")
"""The addresses that are left to the machine alone."""


def put_into(networks, put=setattr):
    """Let this machine be in these networks alone, with the rest of the loopback range as other devices. `put` sets an
    attribute of a module."""
    put(addresses, "networks", lambda: [*networks])
    put(addresses, "HOME", OWN)


def in_networks(*hosts):
    """A change of a room's program, after which its machine has these addresses, each in a network of its own; the
    first is a Wi-Fi."""
    return partial(put_into, [Network(f"net{number}", (host,), not number) for number, host in enumerate(hosts)])
