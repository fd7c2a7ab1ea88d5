"""Play and draw games of Go Fish, in a process that has its frozen wheel, and verify the frozen logs.

python -m tests.compatibility.stranger FOLDER
"""

import sys
from pathlib import Path

from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import table_for
from fairdeal.environments.rendering import rendered
from fairdeal.table.log import Player
from fairdeal.table.sitting import PERSON, Sitting
from fairdeal.table.verification import verify
from tests.compatibility.frozen import THIRD_PARTY, logs
from tests.scenes import cards_in


def main(folder):
    for text in logs(Path(folder), THIRD_PARTY):
        verify(text)
    drawn, refused = 0, set()
    for preset in find_game(THIRD_PARTY).presets:
        table = table_for(THIRD_PARTY, {}, preset)
        plays = [PERSON, "greedy", "juno", "random", "otto", "pip"][: table.players]
        sitting = Sitting.open(table, [Player(f"Seat {seat}", one) for seat, one in enumerate(plays)], seed=preset)
        while not sitting.over:
            seat = sitting.state.to_act[0]
            for viewer in (seat, SPECTATOR) if sitting.moves_made % 3 == 0 else ():
                scene = sitting.scene(viewer)
                assert scene.zones
                assert bool(scene.choices) == (viewer == seat)
                offered = {choice.on for choice in scene.choices}
                others = [card.id for card in cards_in(scene) if card.id not in offered]
                refused |= {sitting.seen(viewer).why((), card) for card in others}
                drawn += "Pool" in rendered("ansi", sitting.state.view(viewer, 100))
            hint = sitting.hint(seat)
            assert hint.text
            assert sitting.state.view(seat, 100).position()["hands"]
            sitting.play(seat, sitting.bot_move(seat).actions if seat in sitting.bots else hint.actions)
            assert sitting.lines(sitting.moves_made, seat)
        assert sitting.scene(0).result.text
        verify(sitting.log.text())
    assert ("This book is laid and stays on the table.", "FISH-20") in refused
    print("drawn", drawn)


if __name__ == "__main__":
    main(sys.argv[1])
