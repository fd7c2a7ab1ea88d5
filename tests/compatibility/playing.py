"""Play a game in the terminal at a table of a room, and print what was said both ways.

A program of its own, which tests/compatibility runs with the fairdeal of this or of another version: it uses only names
that all of them have."""

import asyncio
import json
import random
import sys
from collections import Counter
from types import SimpleNamespace

import fairdeal

try:
    from fairdeal.terminal.online.client import Visit
    from fairdeal.terminal.online.connection import Connection
    from fairdeal.terminal.online.remote_table import RemoteApp, RemoteScreen
except ModuleNotFoundError:  # 0.1.0
    from fairdeal.terminal.connection import Connection
    from fairdeal.terminal.remote import RemoteApp, RemoteScreen
    from fairdeal.terminal.visit import Visit

MOST_QUIET = 1_000
"""Looks in a row at a screen to which the room has sent nothing, before this gives up: some 15 seconds."""

MOST_REFUSALS = 40


def noting(owner, name, note):
    """Let a method of a class pass its argument to `note` first."""
    method = getattr(owner, name)

    def noted(self, argument, *more):
        note(argument)
        return method(self, argument, *more)

    setattr(owner, name, noted)


def ask(screen, turn):
    """Ask the room something, each turn something else: about cards, for a hint, or for the last moments."""
    choices = {choice.on for choice in screen.drawn.choices}
    cards = [card.id for zone in screen.drawn.zones if zone.place == "hand" for card in zone.cards]
    others = [card.id for zone in screen.drawn.zones for card in zone.cards if card.id]
    for card in [*cards, *others]:
        if card not in choices:
            screen.ask_why(card)
            break
    if turn % 4 == 0:
        screen.recall()
    elif turn % 4 == 1:
        screen.action_hint()
    elif turn % 4 == 2:
        screen.on_spoken(SimpleNamespace(text="hello"))
    elif cards:
        screen.ask_about(cards[0])


async def play(link, told, heard, refused):
    """Play to the end, until the deal is checked; or until the room is silent or has refused too much."""
    chance = random.Random(1)
    visit = Visit(link)
    visit.come_in("Tess")
    app, seq, turn = RemoteApp(visit, pause=0), 0, 0
    async with app.run_test(size=(100, 30)) as pilot:
        quiet, count = 0, 0
        while quiet < MOST_QUIET and refused.total() < MOST_REFUSALS:
            quiet, count = quiet + 1 if heard.total() == count else 0, heard.total()
            screen = app.screen_stack[-1]
            if not isinstance(screen, RemoteScreen):
                screen = next((one for one in app.screen_stack if isinstance(one, RemoteScreen)), None)
                await pilot.press("escape")
            elif screen.drawn.choices and screen.drawn.prompt.mode == "yours" and not screen.picking:
                if screen.drawn.seq != seq and screen.drawn.seq > 2:
                    seq, turn = screen.drawn.seq, turn + 1
                    ask(screen, turn)
                main = [choice for choice in screen.drawn.choices if choice.main]
                screen.pick(chance.choice(main if main and screen.draft else screen.drawn.choices))
            if screen and screen.checked:
                told["result"] = screen.drawn.result.text
                told["checked"] = screen.checked[0].plain
                told["entries"] = screen.drawn.seq
                break
            await pilot.pause(0.01)
    visit.close()


if __name__ == "__main__":
    asked, heard, refused, words = Counter(), Counter(), Counter(), Counter()

    def hear(text):
        message = json.loads(text)
        heard[message["type"]] += 1
        if message["type"] == "refused":
            refused[message["reason"]] += 1

    noting(RemoteScreen, "hear", hear)
    noting(RemoteScreen, "say", lambda said: words.update([said]))
    noting(Connection, "send", lambda text: asked.update([json.loads(text)["type"]]))
    told = {"program": fairdeal.__file__}
    asyncio.run(play(sys.argv[1], told, heard, refused))
    print(json.dumps(told | {"asked": asked, "heard": heard, "refused": refused, "said": words}))
