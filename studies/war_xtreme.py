"""The study of WAR X-TREME: `uv run --group docs python -m studies.war_xtreme` writes its page and its plots.

It measures what `fairdeal study` does not: rounds, and phases by rounds.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from fairdeal.bots.bots import ask
from fairdeal.bots.registry import find_bot
from fairdeal.engine.compile import compiled
from fairdeal.engine.kit import chance
from fairdeal.engine.records import new
from fairdeal.engine.state import State, Table, load
from fairdeal.games.war_xtreme.state import (
    BRACE,
    CALLING,
    CHOICE,
    CLASH,
    DISPUTING,
    PREP,
    RACE,
    REACT,
    RECRUITING,
    REGROUP,
)
from fairdeal.lab.simulate.simulation import Estimate, mean
from studies.plots import bars, histogram

NAME = "war-xtreme"
PAGE = Path("docs/studies/war-xtreme.md")
PLOTS = PAGE.parent / NAME
SEATS = range(2, 9)
CARDS_OF_A_SUIT = 15
PHASES = {
    PREP: "preparation",
    REGROUP: "trust or distrust",
    REACT: "reaction window",
    CHOICE: "flee or buy in",
    BRACE: "window before recruits",
    RECRUITING: "recruits picked",
    CLASH: "window of a clash",
    CALLING: "a Wild calls",
    RACE: "race",
    DISPUTING: "dispute answered",
}


def table_for(players: int, **options: object) -> Table:
    """Return a table at which everybody feels extreme; a player who does not only makes the table smaller."""
    return load(NAME, players=players, ask_extreme=False, **options)


def played(table: Table, number: int, seed: str) -> Iterator[Iterator[State]]:
    """Yield games among greedy bots, each as its states from the deal to the end."""
    compiled.compiled(table.game)
    for game in range(number):
        yield one_game(table, f"{seed} {game}")


def one_game(table: Table, seed: str) -> Iterator[State]:
    state = table.deal(seed)
    bots = [find_bot("greedy", table, seat, chance.key_of(f"{seed} bot {seat}")) for seat in range(table.players)]
    yield state.copy()
    turn = 0
    while not state.over:
        seat = state.to_act[0]
        state.play_actions(seat, ask(bots[seat], state, seat, turn).actions)
        turn += 1
        yield state.copy()


def at_random(table: Table, games: int, seed: str) -> Iterator[State]:
    """Yield games played at random without leaving compiled code: each as it was dealt, then as it ended."""
    engine, actions = compiled.compiled(table.game), compiled.scratch(table.game)
    source = new(table.start.chance.dtype)
    for game in range(games):
        state = table.deal(f"{seed} {game}")
        yield state.copy()
        chance.set_key(source, chance.key_of(f"{seed} moves {game}"))
        engine.random_moves(state.record, source, actions, 10**7)
        yield state


def pairs(states: Iterator[State]) -> Iterator[tuple[State, State]]:
    """Return each game as its first and its last state."""
    return zip(states, states, strict=True)


def lengths(games: int) -> str:
    """Describe the number of rounds by table size, with and without equipment."""
    rows, spread = [], {}
    for players in SEATS:
        cells = []
        for equipment in (True, False):
            table = table_for(players, equipment=equipment, max_rounds=0, must_play="enforced")
            ends = [end for _, end in pairs(at_random(table, games, f"lengths {players} {equipment}"))]
            rounds = np.array([float(end.record.round_no) for end in ends])
            low, middle, high = np.percentile(rounds, [10, 50, 90])
            cells += [told(mean(rounds)), f"{low:.0f} / {middle:.0f} / {high:.0f}"]
            if equipment and players in (2, 4, 8):
                spread[f"{players} players"] = np.minimum(10 * np.round(rounds / 10), 800)
        rows.append((str(players), *cells))
    histogram(PLOTS / "rounds.svg", spread, "rounds, by tens, with equipment; the last bar is 800 and more", "Length")
    head = ("players", "rounds with equipment", "10 / 50 / 90 %", "rounds without", "10 / 50 / 90 %")
    return table_of(head, rows) + plotted("rounds")


def phases(games: int) -> str:
    """Return how often each phase is reached in a hundred rounds of greedy players."""
    rows, columns = [], {}
    for players in (2, 4, 8):
        table = table_for(players, max_rounds=100)
        reached: Counter[int] = Counter()
        rounds = 0
        for states in played(table, games, f"phases {players}"):
            before, number = -1, 0
            for state in states:
                phase, number = int(state.record.phase), int(state.record.round_no)
                reached[phase] += phase != before
                before = phase
            rounds += number
        columns[players] = {phase: 100 * reached[phase] / rounds for phase in PHASES}
    for phase, name in PHASES.items():
        rows.append((name, *(f"{columns[players][phase]:.1f}" for players in columns)))
    named = [
        (
            f"{name}, {players}",
            Estimate(columns[players][phase], columns[players][phase], columns[players][phase]),
            None,
        )
        for phase, name in PHASES.items()
        for players in (2, 8)
        if phase != PREP
    ]
    bars(PLOTS / "phases.svg", named, "times in 100 rounds", "How often a phase is reached, for two and for eight")
    return table_of(("phase", "2 players", "4 players", "8 players"), rows) + plotted("phases")


def told(estimate: Estimate) -> str:
    """Return an estimate with its 95 % interval, as text."""
    return f"{estimate.value:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]"


def table_of(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join(lines)


def plotted(name: str) -> str:
    """Return the plot of that name as a paragraph."""
    return f"\n\n![{name.replace('-', ' ')}]({NAME}/{name}.svg)"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m studies.war_xtreme", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="games of each kind (default 1000)")
    games = parser.parse_args().games
    PLOTS.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(
        TEXT.format(
            games=games,
            lengths=lengths(games),
            phases=phases(max(1, games // 20)),
        ),
        "utf-8",
    )
    print(f"{PAGE} is written")


TEXT = """# WAR X-TREME: a study

This page was written by `uv run --group docs python -m studies.war_xtreme --games {games}`, which gives
the same numbers on any machine. Every estimate has its 95 % interval in brackets. The cards are those of the built-in
catalogue, which is a reconstruction, so the answers may differ for the printed cards.

## In short

- With equipment, the median game takes 47 rounds for two players and about 250 for eight. Without it, two players need
  half as many again, and eight three times as many, because leaders eliminate others only slowly.
- Some cards decide more than others. For two, the player who is dealt the War Drum wins 60 % of the games, and the one
  with Donation Drive 37 %; of an army's cards, Decoy and Happily Ever After win 56 % and 55 %.
- Two players have a decision in nearly every round, mostly whether to play equipment. There is a race in every tenth
  round with two players, and in more than every sixth with eight.
- "No strategy" is too modest. A player who names the right action in races, flees and buys in by the odds, and saves
  equipment for the right moment nearly always wins against a player who moves at random, and wins 87 % of games for two
  without equipment.

## How long is a game?

The table is for random choices, default sets and no limit of rounds. Nothing is hidden, so nobody is caught
(`must_play` is enforced).

{lengths}

## Which cards are too strong?

`fairdeal study studies/war-cards.toml` answers this from the cards that greedy players are dealt in 4,000 games for two
and as many for four, with intervals that hold for all cards together. These cards differ clearly from a fair share:

| card | for two | for four |
|---|---|---|
| War Drum | **60.2% [52.6%, 67.2%]** | **35.3% [30.1%, 40.8%]** |
| Decoy | **55.9% [52.5%, 59.2%]** | 27.9% [24.8%, 31.2%] |
| Happily Ever After | **55.0% [51.6%, 58.4%]** | **29.0% [25.9%, 32.4%]** |
| Donation Drive | **36.6% [29.6%, 44.1%]** | **19.3% [15.3%, 24.0%]** |

## How often does each phase occur?

The chart is for greedy players. It shows the number of rounds, out of a hundred, in which somebody has a decision in a
phase. Windows in which nobody can play a card close automatically and are not counted.

{phases}

## Is it still "no strategy"?

Each row has 1,000 games of at most 300 rounds, with one greedy player among random ones. For
example, this command gives the third row:

    uv run fairdeal simulate war-xtreme --players 4 -o equipment=true -o max_rounds=300 -o ask_extreme=false \\
        --bots greedy,random,random,random --games 1000 --seed "skill 4 True"

| table | wins of the one greedy player | fair share |
|---|---|---|
| 2 players, with equipment | 99.5% [98.8%, 99.8%] | 50.0% |
| 2 players, without | 87.3% [85.1%, 89.2%] | 50.0% |
| 4 players, with equipment | 86.6% [84.3%, 88.6%] | 25.0% |
| 4 players, without | 79.6% [77.0%, 82.0%] | 25.0% |
| 8 players, with equipment | 59.1% [56.0%, 62.1%] | 12.5% |
| 8 players, without | 76.9% [74.2%, 79.4%] | 12.5% |
"""


if __name__ == "__main__":
    main()
