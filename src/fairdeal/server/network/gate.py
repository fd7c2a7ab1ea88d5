"""Opening a running room to the networks of its machine, and closing it again, which only its owner may do.

The owner is the guest who first opens the link that the room prints when it starts. The address of a guest proves
nothing, because behind a proxy on this machine every guest comes from here.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Callable

from fairdeal.engine.errors import FairdealError
from fairdeal.server.network import addresses
from fairdeal.server.network.listening import MoreSockets
from fairdeal.server.network.reach import Place, Reach

LOOK_AGAIN = 5.0
"""Seconds between two looks at the networks while the room is open to them."""

NO_NETWORK = "this computer is in no network"


class NotTheOwner(FairdealError):
    """Raised when a guest who is not the owner tries to open or close the room."""


class NotOpened(FairdealError):
    """Raised when the room cannot be opened to the network."""


class Gate:
    """Opens the room to the network, and closes it.

    sockets  set before the room is served
    link     the part of the owner's link that nobody can guess; it works once
    owner    the guest who has used the link
    changed  called with a sentence for the terminal when the room was opened or closed, or its addresses have changed
    """

    def __init__(self, reach: Reach, changed: Callable[[str], None]) -> None:
        self.reach, self.changed = reach, changed
        self.link, self.owner = secrets.token_hex(16), ""
        self.turn = asyncio.Lock()
        self.own = [*reach.places]
        self.sockets: MoreSockets
        self.following: asyncio.Task[None] | None = None
        self.cutting: asyncio.Task[None] | None = None

    # --- the owner ------------------------------------------------------------------------------------------

    def claim(self, link: str, guest: str) -> bool:
        """Make a guest the owner if their link is right and nobody has used it. Return whether they are the owner."""
        if not self.owner and secrets.compare_digest(link.encode(), self.link.encode()):
            self.owner = guest
        return self.is_owner(guest)

    def is_owner(self, guest: str) -> bool:
        return bool(self.owner) and secrets.compare_digest(guest.encode(), self.owner.encode())

    def forget(self, guest: str) -> None:
        """Forget the owner, who has deleted their data. Nobody can become the owner until the room is restarted."""
        if self.is_owner(guest):
            self.owner, self.link = "", secrets.token_hex(16)

    # --- opening and closing --------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        return self.following is not None

    async def begin(self) -> None:
        """Listen on the networks until `close`, also on those that come later, even if there is none now."""
        await self.listen_anew()
        self.following = asyncio.create_task(self.follow())

    async def open(self) -> None:
        """Do the same, and say so. Raises NotOpened if there is no network, or if the port cannot be used there."""
        async with self.turn:
            if self.is_open:
                return
            if problem := await self.listen_anew():
                raise NotOpened(problem)
            self.following = asyncio.create_task(self.follow())
            self.changed(announced(self.reach))

    async def close(self) -> None:
        """Stop listening on the networks, and close the connections that have come from there."""
        async with self.turn:
            if not self.is_open:
                return
            closed = {*self.sockets.open}
            self.end()
            self.changed(announced(self.reach))
            self.cutting = asyncio.create_task(self.sockets.cut(closed))

    def end(self) -> None:
        """Stop listening on the networks. The connections remain."""
        if self.following:
            self.following.cancel()
            self.following = None
        self.sockets.stop({*self.sockets.open})
        self.reach.places[:] = self.own

    async def listen_anew(self) -> str:
        """Listen at the first address of each network, and stop listening at addresses that are gone. Return the
        problem if there is none to listen at."""
        wanted = [network.addresses[0] for network in addresses.networks()]
        self.sockets.stop({*self.sockets.open} - {*wanted})
        problem = "" if wanted else NO_NETWORK
        for address in wanted:
            if address not in self.sockets.open:
                try:
                    await self.sockets.add(address, self.own[0].port)
                except FairdealError as refused:
                    problem = str(refused)
        self.reach.places[:] = [*self.own, *(Place(address, self.own[0].port) for address in self.sockets.open)]
        return "" if self.sockets.open else problem

    async def follow(self) -> None:
        """Follow the networks as they come and go."""
        while True:
            await asyncio.sleep(LOOK_AGAIN)
            async with self.turn:
                before = {*self.sockets.open}
                with contextlib.suppress(OSError):  # the networks cannot be listed now
                    await self.listen_anew()
                if before != {*self.sockets.open}:
                    self.changed(announced(self.reach))


def announced(reach: Reach) -> str:
    """Return where a room is open, for the terminal."""
    found = reach.on_networks().values()
    if found:
        return "\n".join(["It is open to the network:", *(f"{one.url}  {one.text}" for one in found)])
    if reach.base:
        return f"It is closed to the network; its public address is {reach.base}."
    return f"Only this computer can open it, at {reach.home}."
