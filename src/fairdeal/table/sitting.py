"""A sitting: people and bots at a table, from the commitment to the seed to its reveal.

The log is the source of truth: the state is the result of replaying it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from fairdeal.bots.bots import Bot, Suggestion, ask
from fairdeal.bots.custom import is_own
from fairdeal.bots.levels import searches
from fairdeal.bots.levels import seated as word_of
from fairdeal.bots.registry import STAND_IN, find_bot
from fairdeal.bots.search import Thought
from fairdeal.engine.errors import BadLog, FairdealError, IllegalMove, NotReplayable, UnknownGame
from fairdeal.engine.events import Described, Event, Won, attack_in, described, round_in
from fairdeal.engine.files import read_text, write_whole
from fairdeal.engine.options import changed
from fairdeal.engine.records import HOUSE, SPECTATOR, restored
from fairdeal.engine.scene import Bitten, Decided, LogLine, Recap, Round, Scene, Seat, Sentence, Voice, joined
from fairdeal.engine.scene.instruments import Attack
from fairdeal.engine.scene.open_piles import Heaps
from fairdeal.engine.scene.picks import MOST_PICKS
from fairdeal.engine.state import Seen, State, Table, table_for
from fairdeal.engine.tips import bitten, read_bites
from fairdeal.engine.travel import travelled
from fairdeal.table import fairness
from fairdeal.table.advice import Hint, hint
from fairdeal.table.deciding import comfort, decided, deciding_move, light
from fairdeal.table.log import ANOTHER, PASS, Log, Move, Player, read_log, taken_back, taking_back
from fairdeal.table.names import isolated, shown
from fairdeal.table.recap import OWN, TOLD, Telling, moves_since, recap, stood_in
from fairdeal.table.undo import tells_nothing, undisturbed, why_not

PERSON = "person"

NOT_YOURS = "you can take back only your own move, and only before another person acts"
"""The error message for an undo of a move that is not the player's own, or that led through a window."""

Watch = Callable[["Sitting", Move], None]


def unwatched(sitting: Sitting, entry: Move) -> None:
    """Do nothing. This is the default watcher of a replay."""


MOST_SCENES = 12
"""Maximum number of cached scenes of one state that a room sends, including those of drafts."""

AT_TABLE = ("seq", "state", "events", "recap", "stood_in", "round", "resolved", "bites")
"""The parts of a scene that a game does not draw itself, and that do not depend on a draft."""

KEPT = 16
"""Interval, in moves, at which a state is saved. The states in between are recomputed from the last saved one."""


def name_shown(player: Player) -> str:
    """Return the name of a player as everybody sees it, in one line."""
    name = " ".join(player.name.split())
    return isolated(shown(name) if player.plays == PERSON else name)


class Sitting:
    """A game being played. `moves_made` is the number of moves. Each viewer has a separate scene.

    `past` contains the bytes of every sixteenth state, starting with the deal, so that any earlier state can be
    recomputed. A lesson starts from its own `state` instead of a deal, and its log is not replayed.
    """

    def __init__(self, table: Table, log: Log, seed: bytes, state: State | None = None) -> None:
        self.table = table
        self.log = log
        self.seed = seed
        self.state = state or table.deal_from(fairness.chance_key(seed, log.chance_text()))
        self.bots: dict[int, Bot] = {
            seat: find_bot(player.plays, table, seat, fairness.bot_key(seed, seat))
            for seat, player in enumerate(log.players)
            if player.plays != PERSON
        }
        self.names = tuple(name_shown(player) for player in log.players)
        self.past: list[bytes] = []
        self.known: tuple[int, State] = 0, self.state  # the last past state that was requested
        self.forget()
        self.heaps = Heaps()
        self.told_nothing: dict[int, bool] = {}  # whether a move revealed nothing, by number, as far as is known
        self.deciding: int | None = None  # cached number of the move that decided a finished game

    def forget(self) -> None:
        """Empty the caches of the current state and of the last move."""
        self.views: dict[int, Seen] = {}  # of the current state, by viewer
        self.scenes: dict[tuple[int, tuple[int, ...]], Scene] = {}  # as sent now, by viewer and draft
        self.rests: dict[int, Sequence[Described]] = {}  # what is told now after a window, by viewer
        self.views_before: dict[int, Seen] = {}  # of the state before the last move
        self.latest: dict[int, Sequence[Event]] = {}  # events of the last move, by viewer
        self.words: dict[int, Sequence[Described]] = {}  # the last move in words, by viewer
        self.recaps: dict[int, tuple[Recap, ...]] = {}  # of the current state, by viewer
        self.tellings: dict[int, dict[int, Telling]] = {}  # by viewer and move, since their own last move

    @classmethod
    def open(
        cls, table: Table, players: Sequence[Player], seed: str | None = None, state: State | None = None
    ) -> Sitting:
        """Open a sitting: commit to a seed, assign a nonce to every seat, and deal. A `seed`, which may be any word,
        makes the deal repeatable.

        Raises FairdealError if the number of players differs from that of the table, or if a bot is unknown.
        """
        if len(players) != table.players:
            raise FairdealError(f"this table has {table.players} seats, not {len(players)}")
        secret = fairness.new_seed() if seed is None else fairness.chosen_seed(seed)

        def seated(seat: int, player: Player) -> Player:
            if player.plays != PERSON:
                return Player(player.name, word_of(player.plays, table.game), fairness.seed_nonce(secret, seat))
            nonce = fairness.new_nonce() if seed is None else fairness.chosen_nonce(seed, seat)
            return Player(player.name, player.plays, nonce, fairness.nonce_hash(nonce))

        log = Log(
            game=table.game.name,
            rules_version=table.game.rules_version,
            options=changed(table.options),
            players=tuple(seated(seat, player) for seat, player in enumerate(players)),
            commitment=fairness.commitment(secret),
        )
        return cls(table, log, secret, state)

    # --- views ----------------------------------------------------------------------------------------------

    @property
    def moves_made(self) -> int:
        return len(self.log.moves)

    @property
    def over(self) -> bool:
        return self.state.over

    def person_to_act(self) -> int | None:
        """Return the first seat of a person who may act, or None."""
        return next((seat for seat in self.state.to_act if seat not in self.bots), None)

    def bot_to_act(self) -> int | None:
        """Return the first seat of a bot that may act, or None."""
        return next((seat for seat in self.state.to_act if seat in self.bots), None)

    def seen(self, viewer: int) -> Seen:
        """Return the current state as a seat or SPECTATOR sees it."""
        if viewer not in self.views:
            self.views[viewer] = self.state.seen_by(viewer, self.names)
        return self.views[viewer]

    def scene(self, viewer: int, draft: Sequence[int] = ()) -> Scene:
        """Return the scene for a seat or SPECTATOR on a screen that shows every move, also those that a room hides. Its
        events are those of the last move, and its `seq` is the number of moves."""
        told = self.described(self.moves_made, viewer)
        scene = self.drawn(self.moves_made, viewer, draft)
        whole = self.drawn(self.moves_made, viewer) if draft else scene
        return self.furnished(scene, told, whole).replaced(seq=self.moves_made)

    def sent(self, viewer: int, draft: Sequence[int] = ()) -> Scene:
        """Return the scene that a room sends to a seat or SPECTATOR, with an unfinished move. Its events are those of
        all moves since the last one that the viewer knows of, and its `seq` is the number of entries that the viewer
        knows of. It depends only on the log and these arguments, so that everybody who has the log can draw it again
        (table/redrawing.py), except for what a window has shown before (`tell_rest`). Raises IllegalMove if no choices
        led to the draft."""
        key = viewer, tuple(draft)
        if key not in self.scenes:
            if len(key[1]) > MOST_PICKS or (draft and not self.offers(viewer, draft)):
                raise IllegalMove("", "this unfinished move is not possible now")
            if len(self.scenes) >= MOST_SCENES:
                self.scenes.clear()
            self.scenes[key] = self.with_draft(viewer, key[1]) if draft else self.without_draft(viewer)
        return self.scenes[key]

    def tell_rest(self, viewer: int, told: Sequence[Described]) -> None:
        """Let the scenes of the current state tell a viewer only these events, because a window has shown the
        others."""
        self.rests[viewer] = told
        self.scenes = {key: scene for key, scene in self.scenes.items() if key[0] != viewer}

    def offers(self, viewer: int, draft: Sequence[int]) -> bool:
        """Return whether the last choice of a draft was among those offered."""
        return any(choice.id == draft[-1] for choice in self.sent(viewer, draft[:-1]).choices)

    def without_draft(self, viewer: int) -> Scene:
        """Return the scene that a room sends to a viewer without an unfinished move."""
        told = self.rests[viewer] if viewer in self.rests else self.since_known(self.moves_made, viewer)
        scene = self.drawn(self.moves_made, viewer)
        return self.furnished(scene, told, scene).replaced(
            seq=self.log.number_for(viewer),
            state=self.seen(viewer).digest,
            stood_in=self.stood_in(viewer, self.moves_made),
        )

    def with_draft(self, viewer: int, draft: tuple[int, ...]) -> Scene:
        """Return the scene that a room sends to a viewer with an unfinished move."""
        whole, scene = self.sent(viewer), self.drawn(self.moves_made, viewer, draft)
        seats = tuple([self.dressed(seat) for seat in scene.seats])
        return scene.replaced(seats=seats, **{part: getattr(whole, part) for part in AT_TABLE})

    def furnished(self, scene: Scene, told: Sequence[Described], whole: Scene) -> Scene:
        """Return the current scene with what a table adds: the kinds of players, what the last move ended, the events
        `told`, and the recap. `whole` is the scene without an unfinished move."""
        return self.ended(scene, told).replaced(
            seats=tuple([self.dressed(seat) for seat in scene.seats]),
            events=tuple([line for _, line in told]),
            bites=self.bites(told, whole),
            recap=self.recap(scene.viewer) if scene.viewer in self.state.to_act else (),
        )

    def drawn(self, number: int, viewer: int, draft: Sequence[int] = ()) -> Scene:
        """Return the game's own scene after move `number`, with the cards of open piles in order."""
        return self.heaps.laid(self.seen_at(number, viewer).scene(draft), number, self.public)

    def public(self, number: int) -> Scene:
        """Return the scene after move `number` for a spectator."""
        return self.seen_at(number, SPECTATOR).scene()

    def ended(self, scene: Scene, told: Sequence[Described]) -> Scene:
        """Add to the current scene the round, the attack or the game that the last move ended, and the move and the
        cards that decided the game. `told` describes the last move to the viewer."""
        found, number = scene, self.moves_made
        ended, resolved = self.round(number, scene.viewer), self.resolved(number, scene.viewer)
        if ended or resolved:
            found = found.replaced(round=ended, resolved=resolved)
        if scene.result:
            lit = light(scene, self.happened(number, scene.viewer), told)
            kind = comfort(scene.result, scene.viewer)
            result = scene.result.replaced(decided=self.decided(scene), light=lit, comfort=kind)
            found = found.replaced(result=result)
        return found

    def dressed(self, seat: Seat) -> Seat:
        """Return a seat of a scene, labelled as a bot's if a bot plays there."""
        return seat.replaced(kind="bot") if seat.seat in self.bots else seat

    def described(self, number: int, viewer: int) -> list[Described]:
        """Return the events of move `number` (from 1) with log lines for a viewer and the cards that it moved."""
        told = self.events_of(number, viewer) if number else ()
        if not told:
            return []
        return travelled(told, self.seen_at(number - 1, viewer).scene(), self.seen_at(number, viewer).scene())

    def since_known(self, number: int, viewer: int) -> list[Described]:
        """Return the events, as returned by `described`, of move `number` and of all moves since the last one that the
        viewer knows of."""
        known = self.log.last_known(viewer, number)
        if known in (0, number):
            return self.described(number, viewer)
        told = [one for move in range(known, number + 1) for one in self.events_of(move, viewer)]
        return travelled(told, self.seen_at(known - 1, viewer).scene(), self.seen_at(number, viewer).scene())

    def lines(self, number: int, viewer: int) -> list[LogLine]:
        """Return a viewer's log lines for move `number`, with the cards that it moved."""
        return [line for _, line in self.described(number, viewer)]

    def bites(self, told: Sequence[Described], scene: Scene) -> tuple[Bitten, ...]:
        """Return the tips that the last move triggers for the viewer of `scene`."""

        def before() -> Scene:
            return self.seen_at(self.moves_made - 1, scene.viewer).scene()

        return bitten(read_bites(self.table.game.clauses), told, scene, before)

    def events_of(self, number: int, viewer: int) -> Sequence[Described]:
        """Return the events of move `number` with log lines for a viewer, without the cards that it moved."""
        if number < self.moves_made:
            return self.put_into_words(number, viewer)
        if viewer not in self.words:
            self.words[viewer] = self.put_into_words(number, viewer)
            if viewer >= 0:
                self.telling(number, viewer)
        return self.words[viewer]

    def telling(self, number: int, viewer: int) -> Telling:
        """Return the description of move `number` for a seat. Descriptions of new moves are saved for the recap."""
        tellings = self.tellings.setdefault(viewer, {})
        if number in tellings:
            return tellings[number]
        unseen = self.made_unseen(number, viewer)  # must come first, so that states are computed in order
        found = Telling([line.text for _, line in self.events_of(number, viewer)], unseen)
        if number == self.moves_made:
            tellings[number] = found
            tellings.pop(number - TOLD, None)
        return found

    def put_into_words(self, number: int, viewer: int) -> list[Described]:
        """Return the events of move `number` with log lines for a viewer. The author is mentioned if it was not the
        seat's own player. The effects of a hidden move are attributed to the author of the last move that the viewer
        knows of."""
        seat = self.log.moves[(self.log.last_known(viewer, number) or number) - 1].seat
        told = described(self.happened(number, viewer), self.voice(viewer), seat)
        made_for = self.made_for(number, viewer)
        if made_for:
            event, line = told[0] if told else Described(Event(), LogLine(Sentence(""), seat))
            text = joined([Sentence(made_for), line.text])
            told[:1] = [Described(event, line.replaced(text=text))]
        return told

    def happened(self, number: int, viewer: int) -> Sequence[Event]:
        """Return the events of move `number` that a viewer may know. Move 0 has none."""
        if not number:
            return ()
        if number == self.moves_made and viewer in self.latest:
            return self.latest[viewer]
        before, after = self.seen_at(number - 1, viewer), self.seen_at(number, viewer)
        move = self.log.moves[number - 1]
        found = before.happened(after, move.seat, move.actions)
        if number == self.moves_made:
            self.latest[viewer] = found
        return found

    def voice(self, viewer: int) -> Voice:
        """Return the names as shown to a viewer."""
        return Voice(self.names, viewer)

    def round(self, number: int, viewer: int) -> Round | None:
        """Return the round that move `number` ended, or None."""
        return round_in(self.happened(number, viewer), self.voice(viewer))

    def resolved(self, number: int, viewer: int) -> Attack | None:
        """Return the attack that move `number` ended, or None."""
        return attack_in(self.happened(number, viewer), self.voice(viewer))

    def decided(self, end: Scene) -> Decided | None:
        """Return the move that decided a game, for the viewer of its last scene. Return None in a single-player game,
        if several seats or none have won, or if no move decided it before the end."""
        viewer = end.viewer
        winners = [seat for seat, place in enumerate(end.result.places) if place == 1] if end.result else []
        if self.table.players < 2 or len(winners) != 1 or not end.result or not end.result.won:
            return None
        if self.deciding is None:
            self.deciding = deciding_move(self.state_at, self.moves_made)
        move = self.deciding
        after = self.seen_at(move, viewer).scene().replaced(round=self.round(move, viewer))
        scenes = self.seen_at(move - 1, viewer).scene(), after
        told = [one for one in self.described(move, viewer) if not isinstance(one.event, Won)]
        return decided(move, self.moves_made, end.seats[winners[0]], told, scenes)

    def made_for(self, number: int, viewer: int) -> str:
        """Return a sentence if a bot or another guest made a move in place of the seat's player, or an empty string."""
        move = self.log.moves[number - 1]
        if move.by in ("", PERSON) or not move.is_known(viewer):
            return ""
        who = "Another guest" if move.by == ANOTHER else "A bot"
        return f"{who} played for {self.voice(viewer).name(move.seat)}."

    def recap(self, viewer: int) -> tuple[Recap, ...]:
        """Return a summary of the moves since a seat's own last action, as the seat saw them. The summary is empty for
        SPECTATOR."""
        if viewer not in self.recaps:
            moves = self.log.moves
            since = moves_since(moves, viewer)

            def telling(number: int) -> Telling:
                return self.telling(number, viewer)

            self.recaps[viewer] = recap(moves, since, viewer, telling) if viewer >= 0 else ()
        return self.recaps[viewer]

    def stood_in(self, viewer: int, number: int) -> int:
        """Return the number of moves, of the first `number`, that a bot has made for a seat since its own last move."""
        return stood_in(self.log.moves[:number], viewer) if viewer >= 0 else 0

    def made_unseen(self, number: int, viewer: int) -> bool:
        """Return whether move `number` was made by another seat that was asked only because of the cards that it
        holds."""
        return self.log.moves[number - 1].seat != viewer and self.in_window(number - 1, viewer)

    def in_window(self, number: int, viewer: int) -> bool:
        """Return whether a seat is asked, after move `number`, only because of the cards that it holds."""
        game = self.table.game
        return game.has_windows and game.in_window(self.seen_at(number, viewer).shown)

    def moment(self, number: int, viewer: int) -> Scene:
        """Return a viewer's scene after move `number`, with the events of that move and without choices."""
        scene = self.drawn(number, viewer)
        return scene.replaced(
            seq=number,
            mode="over" if scene.mode == "over" else "replay",
            seats=tuple(self.dressed(seat) for seat in scene.seats),
            choices=(),
            events=tuple(self.lines(number, viewer)),
            round=self.round(number, viewer),
            resolved=self.resolved(number, viewer),
        )

    def moments_since(self, viewer: int) -> tuple[Scene, ...]:
        """Return the scenes that a seat saw since its own last action, for at most the newest TOLD moves.

        The first scene is the table directly after that action, without events. States in which a seat was asked only
        because of its cards are omitted, and the moves made in them have no author.
        """
        own = moves_since(self.log.moves, viewer)
        known = [number for number, move in enumerate(self.log.moves) if move.is_known(viewer)]
        since = max(own, known[-TOLD]) if len(known) > TOLD else own
        shown = [n for n in range(since, self.moves_made) if not self.in_window(n, viewer)]
        found = []
        for number in (*shown, self.moves_made):
            scene = self.moment(number, viewer).replaced(seq=self.log.move_for(viewer, number))
            last = self.log.last_known(viewer, number)
            if last != number:
                events = tuple(line for _, line in self.since_known(number, viewer))
                scene = scene.replaced(events=events)
            if last and self.made_unseen(last, viewer):
                events = tuple(event.replaced(seat=HOUSE) for event in scene.events)
                scene = scene.replaced(events=events)
            if last == own and number < self.moves_made:
                scene = scene.replaced(events=(), round=None)
            found.append(scene)
        return tuple(found)

    def seen_at(self, number: int, viewer: int) -> Seen:
        """Return the state after move `number` as a viewer sees it."""
        made = len(self.log.moves)
        if number == made:
            return self.seen(viewer)
        if number == made - 1 and viewer in self.views_before:
            return self.views_before[viewer]
        return self.state_at(number).seen_by(viewer, self.names)

    def state_at(self, number: int) -> State:
        """Return the state after move `number`."""
        if number == self.moves_made:
            return self.state
        known, state = self.known
        if known == number:
            return state
        if number - number % KEPT <= known < number:
            state = state.copy()
        else:
            known = number - number % KEPT
            state = State(self.table, restored(self.past[number // KEPT], self.state.record.dtype))
        for earlier in range(known, number):
            move = self.log.moves[earlier]
            state.play_actions(move.seat, move.actions)
        self.known = number, state
        return state

    def still(self) -> Sitting:
        """Return a snapshot of this sitting for use in another thread while play continues. The states are shared,
        because they never change. So are the results in `told_nothing`, which change only at an undo."""
        found = copy.copy(self)
        found.log = replace(self.log, entries=[*self.log.entries], moves=[*self.log.moves])
        found.past = [*self.past]
        found.forget()
        found.heaps = Heaps()
        return found

    # --- moves ----------------------------------------------------------------------------------------------

    def play(self, seat: int, move: str | Sequence[int], by: str = "") -> None:
        """Play a complete move, in notation or as actions. If the move is not legal, raises IllegalMove and changes
        nothing."""
        actions, text, after = self.state.attempt(seat, move)
        self.go_on(self.salted(Move(seat, text, by, actions=actions)), after)

    def repeat(self, move: Move) -> None:
        """Play a move from a log or a database. Raises IllegalMove if it is not legal, or if its actions do not match
        its notation."""
        try:
            actions, text, after = self.state.attempt(move.seat, move.actions)
        except IllegalMove as problem:
            raise IllegalMove(move.text, problem.reason, problem.clause) from None
        if text != move.text:
            raise IllegalMove(move.text, f"its actions {list(actions)} are the move {text!r}")
        self.go_on(self.salted(Move(move.seat, text, move.by, actions=actions)), after)

    def go_on(self, move: Move, after: State) -> None:
        """Record a move, as `salted` returns it, and the state after it."""
        if self.moves_made % KEPT == 0:
            self.past.append(self.state.record.tobytes())
        self.known, self.state = (self.moves_made, self.state), after
        self.views_before, self.views, self.scenes, self.rests = self.views, {}, {}, {}
        self.latest, self.words, self.recaps = {}, {}, {}
        self.tellings.pop(move.seat, None)
        self.log.add(move)
        if self.state.over:
            self.log.result = self.state.scores
            self.log.seed = self.seed

    def salted(self, entry: Move) -> Move:
        """Return the next entry as written in the log. In games with windows, it has a salt, and a pass in a window is
        hidden."""
        game = self.table.game
        if not game.has_windows:
            return entry
        hidden = entry.text == PASS and bool(game.in_window(self.state.record))
        return replace(entry, salt=fairness.entry_salt(self.seed, len(self.log.entries) + 1), hidden=hidden)

    def may_take_back(self, count: int = 1, rest: Callable[[], None] = undisturbed) -> bool:
        """Return whether each of the last `count` moves revealed nothing except itself, so that they may be undone.
        `rest` is called regularly, and may raise an exception to end the check."""
        first = self.moves_made - count
        return first >= 0 and all(self.tells_nothing(number, rest) for number in range(first + 1, self.moves_made + 1))

    def tells_nothing(self, number: int, rest: Callable[[], None] = undisturbed) -> bool:
        """Return whether move `number` revealed nothing except itself."""
        if number not in self.told_nothing:
            move, key = self.log.moves[number - 1], fairness.undo_key(self.seed)
            before, after = self.state_at(number - 1), self.state_at(number)
            self.told_nothing[number] = tells_nothing(before, move.seat, move.actions, after, key, rest)
        return self.told_nothing[number]

    def answered(self, seat: int) -> int:
        """Return the number of moves to undo in order to take back a person's last move: that move and the moves of
        bots after it. This does not check whether they revealed anything. Raises IllegalMove if the person has not
        moved, if another person has acted since, or if one of the moves led through a window, even if nobody was asked
        there."""
        moves, game = self.log.moves, self.table.game
        first = next((n for n in range(self.moves_made, 0, -1) if moves[n - 1].seat == seat), 0)
        if self.over:
            raise IllegalMove("", "the game is over")
        if not first:
            raise IllegalMove("", "you have not made a move yet")
        if moves[first - 1].by not in OWN:
            raise IllegalMove("", "a bot made that move for you, so it cannot be taken back")
        for number in range(first, self.moves_made + 1):
            move = moves[number - 1]
            if number > first and move.seat not in self.bots and move.by in OWN:
                raise IllegalMove("", NOT_YOURS)
            if game.has_windows:
                before, after = self.state_at(number - 1).record, self.state_at(number).record
                if move.hidden or game.windows(before, move.seat, move.actions) or game.in_window(after):
                    raise IllegalMove("", NOT_YOURS)
        return self.moves_made - first + 1

    def check_taking_back(self, seat: int, rest: Callable[[], None] = undisturbed) -> int:
        """Return the number of moves to undo in order to take back a person's last move, as `answered` does. Raises
        IllegalMove with the reason if that is not possible, including if one of the moves revealed something. `rest` is
        called regularly, and may raise an exception to end the check."""
        count = self.answered(seat)
        if not self.may_take_back(count, rest):
            events = [e for n in range(self.moves_made - count, self.moves_made) for e in self.happened(n + 1, seat)]
            raise IllegalMove("", f"your move cannot be taken back: {why_not(events, seat, self.names)}")
        return count

    def take_back(self, count: int = 1) -> None:
        """Undo the last `count` moves, by the seat that made the first of them. Raises FairdealError if there are fewer
        moves."""
        number = self.moves_made - count
        if number < 0:
            raise FairdealError("there is no move to take back")
        self.state = self.state_at(number)
        self.forget()
        known = self.told_nothing.copy()  # another thread may be adding results
        self.told_nothing = {one: told for one, told in known.items() if one <= number}
        self.heaps.forget(number)
        self.log.add(self.salted(Move(self.log.moves[number].seat, taking_back(count))))
        del self.past[-(-number // KEPT) :]

    def play_bot(self, seat: int) -> Suggestion:
        """Play the move that the bot of a seat chooses from its own view."""
        suggestion = self.bot_move(seat)
        self.play(seat, suggestion.actions)
        return suggestion

    def bot_move(self, seat: int) -> Suggestion:
        """Return the move that the bot of a seat chooses from its own view."""
        return ask(self.bots[seat], self.state, seat, len(self.log.entries))

    @property
    def searches(self) -> bool:
        """Whether any bot at this table simulates games before it moves."""
        return any(searches(player.plays, self.table.game) for player in self.log.players)

    def thinks(self, seat: int) -> bool:
        """Return whether the bot of a seat thinks for so long that other players should not have to wait for it."""
        plays = self.log.players[seat].plays
        return is_own(plays) or searches(plays, self.table.game)

    def stand_in(self, seat: int) -> Suggestion:
        """Return the move of the stand-in bot at a seat, and its reason."""
        bot = find_bot(STAND_IN, self.table, seat, b"")
        return ask(bot, self.state, seat, len(self.log.entries))

    def hint(
        self, seat: int, look: int = 0, rest: Callable[[], None] = lambda: None, tried: Sequence[Thought] = ()
    ) -> Hint:
        """Return a hint for a seat. Each further `look` at a state takes more time. `rest` is called several times
        during a search. If the caller has `tried` moves itself, no search is made. Raises FairdealError if the seat
        cannot act, or if a move is not legal."""
        key = f"hint {self.log.move_for(seat, self.moves_made)}".encode()
        return hint(self.state, seat, self.names, look, key, rest, tried)

    # --- storage --------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write the log. While the game runs, the seed is stored in a separate file beside the log that only its owner
        can read."""
        write_whole(path, self.log.text())
        secret = seed_file(path)
        if self.over:
            secret.unlink(missing_ok=True)
        else:
            write_whole(secret, self.seed.hex() + "\n", mode=0o600)

    @classmethod
    def resume(cls, path: Path) -> Sitting:
        """Load a saved sitting. Raises BadLog if it cannot be read."""
        log = read_log(read_text(path))
        if log.seed is None and not seed_file(path).exists():
            raise BadLog(1, f"the seed of this running game is missing: {seed_file(path).name} must be beside the log")
        try:
            seed = log.seed or bytes.fromhex(read_text(seed_file(path)).strip())
        except ValueError:
            raise BadLog(1, f"{seed_file(path).name} does not contain a seed") from None
        if fairness.commitment(seed) != log.commitment:
            raise BadLog(log.lines["commitment"], "the seed does not match the commitment")
        return replay(log, seed)


def replay(log: Log, seed: bytes, upto: int | None = None, watch: Watch = unwatched) -> Sitting:
    """Rebuild a sitting from a log and its seed, either from the whole log or from the first `upto` of its moves.
    `watch` is called with the sitting and each entry before the entry is applied. Raises BadLog with the line of the
    first error."""
    running = replace(log, seed=None, result=None, signed_end="", entries=[], moves=[])
    table = table_of(log)
    try:
        sitting = Sitting(table, running, seed)
    except FairdealError as problem:
        raise BadLog(1, str(problem)) from None
    for entry in log.entries if upto is None else log.moves[:upto]:
        try:
            watch(sitting, entry)
            count = taken_back(entry.text)
            mover = sitting.log.moves[-count].seat if count else entry.seat
            if entry.seat != mover:
                raise BadLog(entry.line, f"seat {entry.seat} cannot take back a move of seat {mover}")
            if count:
                sitting.take_back(count)
            else:
                sitting.repeat(entry)
            if upto is None:
                check_salt(sitting.log.entries[-1], entry)
        except IllegalMove as problem:
            raise BadLog(entry.line, str(problem)) from None
    return sitting


def check_salt(made: Move, entry: Move) -> None:
    """Raise BadLog if an entry of a log is not hidden or salted in the same way as the recomputed entry `made`."""
    if entry.hidden != made.hidden:
        rule = "a pass in a window, and no other entry, has a + in place of a number"
        raise BadLog(entry.line, rule)
    if entry.salt != made.salt:
        expected = f"must be {made.salt}, which follows from the seed" if made.salt else "is out of place in this game"
        raise BadLog(entry.line, f"the salt of this entry {expected}")


def table_of(log: Log) -> Table:
    """Return the table at which a log's game was played. Raises BadLog if there is no such table."""
    try:
        table = table_for(log.game, log.options)
    except UnknownGame as problem:
        raise NotReplayable(log.lines.get("game", 1), str(problem)) from None
    except FairdealError as problem:
        raise BadLog(log.lines.get("options", 1), str(problem)) from None
    if table.game.rules_version != log.rules_version:
        raise NotReplayable(
            log.lines.get("rules", 1),
            f"it was played under rules version {log.rules_version} of {table.game.title}, but this is version "
            f"{table.game.rules_version}: the log can be read, but not replayed",
        )
    if table.players != len(log.players):
        raise BadLog(log.lines.get("options", 1), f"{table.players} players, but {len(log.players)} seats")
    return table


def seed_file(path: Path) -> Path:
    return path.with_name(path.name + ".seed")
