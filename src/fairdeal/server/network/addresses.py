"""The networks, addresses and names of this machine.

All of them are looked up again while the room runs, because networks come and go.
"""

import contextlib
import functools
import ipaddress
import re
import socket
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import ifaddr

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

HOME = re.compile(r"127\..*|::1")
"""The addresses that only this machine can reach, in their usual form."""

FAR = (socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")
"""Addresses for documentation, which lie behind the default route. Nothing is sent to them."""

BRIDGE = re.compile(r"(docker|br-[0-9a-f]{12}|veth|virbr|vmnet|vboxnet|lxc|lxd|cni|flannel|podman|bridge\d)")
BRIDGE_ON_WINDOWS = re.compile(r"vEthernet|VirtualBox|VMware|Hyper-V", re.IGNORECASE)
TUNNEL = re.compile(r"(tun|tap|wg|ppp|utun|tailscale|zt|nordlynx)")
WIFI = re.compile(r"wi-?fi|wlan|wireless", re.IGNORECASE)

LOOK_AGAIN, LOOK_FOR_NEW = 10.0, 1.0
"""Seconds after which the addresses of the machine are looked up again: always, and if one is not among them."""


class Network(NamedTuple):
    """A network that this machine is in: the name of its interface, the machine's addresses in it, those of IPv4 first
    and public ones of IPv6 last, and whether it is known to be a Wi-Fi."""

    name: str
    addresses: tuple[str, ...]
    is_wifi: bool = False


def networks() -> list[Network]:
    """Return the networks of this machine. Those of the default route come first, then other networks, tunnels, and
    the bridges of virtual machines and containers. Addresses that are valid only on one link are left out."""
    found: dict[str, list[str]] = {}
    devices: dict[str, str] = {}
    for adapter in ifaddr.get_adapters():
        for one in adapter.ips:
            text = one.ip if isinstance(one.ip, str) else one.ip[0]
            if is_usable(text):
                name = one.nice_name.partition(":")[0] if sys.platform == "linux" else one.nice_name
                found.setdefault(name, []).append(text)
                devices[name] = adapter.nice_name
    usual = {source for family, far in FAR if (source := source_for(family, far))}
    made = [
        Network(name, tuple(sorted(addresses, key=preference)), is_wifi(name, devices[name]))
        for name, addresses in found.items()
    ]
    return sorted(made, key=lambda one: order_of(one, devices[one.name], usual))


def is_usable(address: str) -> bool:
    """Return whether another device may be able to reach this machine at one of its addresses."""
    found = ip_of(address)
    return found is not None and not (
        found.is_loopback or found.is_link_local or found.is_unspecified or found.is_multicast
    )


def preference(address: str) -> tuple[bool, bool]:
    found = ipaddress.ip_address(address)
    return found.version == 6, found.version == 6 and not found.is_private


def order_of(network: Network, device: str, usual: Iterable[str]) -> tuple[bool, bool, bool]:
    is_bridge = bool(BRIDGE.match(network.name) or BRIDGE_ON_WINDOWS.search(f"{network.name} {device}"))
    return is_bridge, bool(TUNNEL.match(network.name)), not {*network.addresses} & {*usual}


def is_wifi(name: str, device: str) -> bool:
    """Return whether an interface is known to be one of Wi-Fi. On macOS, this is not known."""
    if sys.platform == "linux":
        return any(Path("/sys/class/net", name, part).exists() for part in ("wireless", "phy80211"))
    return sys.platform == "win32" and bool(WIFI.search(f"{name} {device}"))


def source_for(family: socket.AddressFamily, far: str) -> str:
    """Return the address from which this machine would send to `far`, or an empty string."""
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((far, 9))
        source: str = probe.getsockname()[0]
        return source
    return ""


@functools.lru_cache(4096)
def ip_of(address: str) -> IPAddress | None:
    """Return an address that is written in any usual way, or None. An IPv4 address in an IPv6 address is one of
    IPv4."""
    try:
        found = ipaddress.ip_address(address.strip("[]").partition("%")[0])
    except ValueError:
        return None
    return (found.version == 6 and found.ipv4_mapped) or found


@functools.lru_cache(4096)
def plain(address: str) -> str:
    """Return an address in its usual form, and any other text as it is."""
    found = ip_of(address)
    return address if found is None else str(found)


def is_home(host: str) -> bool:
    """Return whether a host is this machine by an address or name that other machines cannot use."""
    return host == "localhost" if ip_of(host) is None else HOME.fullmatch(plain(host)) is not None


class Machine:
    """The addresses and names of this machine, which are looked up again when they may have changed."""

    def __init__(self) -> None:
        self.looked = float("-inf")
        self.known: frozenset[str] = frozenset()

    def look_up(self) -> None:
        """Look the addresses and names up."""
        name = socket.gethostname().lower().rstrip(".")
        short = name.partition(".")[0]
        names = {name, short, f"{short}.local"} if short else set()
        self.known = frozenset({plain(address) for network in networks() for address in network.addresses} | names)
        self.looked = time.monotonic()

    def is_called(self, host: str) -> bool:
        """Return whether a host, as an address or as a browser writes it, is this machine."""
        host = plain(host.lower().rstrip("."))
        if is_home(host):
            return True
        age = time.monotonic() - self.looked
        if age > LOOK_AGAIN or (host not in self.known and age > LOOK_FOR_NEW):
            self.look_up()
        return host in self.known
