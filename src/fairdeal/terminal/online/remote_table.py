"""A room's table in the terminal. It shows the scenes that the room sends, and sends the user's choices to the room.
The game need not be installed, except to verify the deal and to analyse the game."""

import asyncio
import contextlib
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import msgspec
from rich.text import Text
from textual import work
from textual.binding import BindingType

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import Choice, Scene, count_of
from fairdeal.protocol import messages as m
from fairdeal.protocol.bodies import History, Report
from fairdeal.table.advice import Hint
from fairdeal.terminal.app import FairdealApp, require_terminal
from fairdeal.terminal.online import client as v
from fairdeal.terminal.online.chat import REACTIONS, WIDEST_CHOICE, Spoken
from fairdeal.terminal.online.connection import Connection
from fairdeal.terminal.online.decorations import (
    dressed,
    has_clock,
    history_in_words,
    is_idle,
    is_with_bots,
    leaving,
    score_in_words,
    waiting_scene,
)
from fairdeal.terminal.online.keeper import header_of
from fairdeal.terminal.online.remote_panel import RemotePanel
from fairdeal.terminal.pictures.canvas import shortened
from fairdeal.terminal.pictures.speed import Tempo, speed_file
from fairdeal.terminal.pictures.widget import TableView
from fairdeal.terminal.screens.analysis_screen import AnalysisScreen
from fairdeal.terminal.screens.dialogs import ANALYSIS, DECIDED, KEYS, Ending, HelpDialog, LeaveDialog
from fairdeal.terminal.screens.side_panel import proof
from fairdeal.terminal.screens.table_screen import PlayScreen
from fairdeal.terminal.screens.tips import HURRY, Noting, is_yours, notes_file

WAITS = "Waiting for the room."
KEPT, SAFE = "Your choice is kept.", "Your moves are safe."
VANISHED = "Its deal is not proven: the room has not shown its seed."
REMOTE_KEYS = (
    *(pair for pair in KEYS if pair[0] not in ("w", "q")),
    ("c  e  !", "talk; a quick reaction; report a name or a line to the keeper"),
    ("a", "let a bot play for an absent player, or take your seat back; after the game: its analysis"),
    ("y", "your finished games and ratings in this room"),
    ("n", "the next table that waits for you"),
    ("q", "leave; your seat is kept"),
)

SIGNS = {sign for sign, _ in REACTIONS}
REACTION_SHOWS = 4.0
"""Time, in seconds, for which a reaction is shown beside a name."""

LINK_AGAIN = 5.0
"""Time, in seconds, after which a waiting table asks again which link others can open."""

LONGEST_GOODBYE = 3.0
"""Time, in seconds, for which a leaving player waits for the room's response."""


def is_recent(at: float) -> bool:
    """Return whether a reaction received at time `at` is still shown."""
    return time.monotonic() - at < REACTION_SHOWS


class RemoteScreen(PlayScreen):
    """A room's table, from joining to the end. Returns `again` for the table `to`, such as the rematch, or `leave`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("g", "give"),
        ("c", "panel('chat')"),
        ("e", "react"),
        ("exclamation_mark", "report"),
        ("a", "bot_or_analysis"),
        ("y", "history"),
        ("n", "onward"),
    ]

    keys = REMOTE_KEYS

    def __init__(self, visit: v.Visit, tempo: Tempo, notes: Path | None, calm: bool) -> None:
        super().__init__(visit.catalogue, tempo)
        self.thinking = False  # whether the room is computing a better hint
        self.noting = Noting(visit.facts.game, visit.bites, notes) if notes else None
        self.visit = visit
        self.calm = calm
        self.facts = visit.facts
        self.drawn = waiting_scene(visit.facts, visit.invitation)
        self.drawn_at = time.monotonic()
        self.line = Connection(self.heard, self.lost, lambda *message: visit.keeper.heard(*message))
        self.reactions: dict[int, tuple[str, float]] = {}  # the last reaction of each seat, and its time
        self.was_lost = False
        self.waits = False  # whether it is shown that the room does not respond
        self.ended = False
        self.wants_rematch = False
        self.to = ""
        self.checked: tuple[Text, Sequence[str]] | None = None

    def begin(self) -> None:
        self.view.focus()
        self.show(self.visit.note)
        self.set_interval(1, self.tick)
        self.set_interval(LINK_AGAIN, self.look_for_link)
        self.set_interval(0.2, self.look_after_line)
        self.listen()

    async def on_unmount(self) -> None:
        await self.line.close()

    # --- scenes ---------------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        shown = {seat: sign for seat, (sign, at) in self.reactions.items() if is_recent(at)}
        return dressed(self.drawn, self.facts, time.monotonic() - self.drawn_at, self.line.room_time, shown)

    @property
    def over(self) -> bool:
        return self.drawn.result is not None

    def side_panel(self) -> RemotePanel:
        return RemotePanel(self.visit.clauses, self.visit.page)

    @property
    def panel(self) -> RemotePanel:
        return self.query_one(RemotePanel)

    def tick(self) -> None:
        if self.stands and (has_clock(self.drawn) or self.reactions):
            self.redraw()
            self.reactions = {seat: one for seat, one in self.reactions.items() if is_recent(one[1])}

    def update_side(self, scene: Scene) -> None:
        self.side.show_score(scene.score)
        deal = self.facts.deal
        keeper, log = self.visit.keeper, header_of(deal.header)
        runs = not scene.result and self.facts.status in ("open", "running")
        checked = self.checked[1] if self.checked else None if runs else ()
        checked = () if keeper.wrong else checked
        self.side.show_proof(proof(deal.commitment, log, deal.seed, checked, keeper.is_mixed))

    def see(self, scene: Scene, note: str) -> None:
        """Switch to another scene and its draft."""
        self.drawn, self.drawn_at = scene, time.monotonic()
        self.draft = scene.draft.picks if scene.draft else ()
        self.show(note)
        self.go_on()

    def go_on(self) -> None:
        """Show the result once, as soon as no frame covers the table."""
        if self.over and not self.ended and not self.staging.now:
            self.ended = True
            self.action_result()

    # --- the connection -------------------------------------------------------------------------------------

    @work
    async def listen(self) -> None:
        """Receive messages until the room closes the connection for good."""
        await self.line.listen(self.visit.stream, self.visit.cookie)

    @property
    def stands(self) -> bool:
        """Whether the screen still exists. When it is closed, its widgets are removed first, while messages still
        arrive."""
        return self.is_attached and bool(self.query(TableView)) and bool(self.query("#proof"))

    def heard(self, text: str | bytes) -> bool:
        """Handle a message if the screen still exists."""
        if self.stands:
            self.hear(text)
        return self.stands

    def lost(self) -> bool:
        """Show that the connection is lost. Return whether to reconnect."""
        if self.stands:
            self.was_lost = True
            self.say(self.state_of_line)
        return self.stands

    @property
    def state_of_line(self) -> str:
        gone, kept = self.line.gone, KEPT if self.line.waits_for(m.Pick) else ""
        if not gone and self.line.welcomed:
            return f"{WAITS} {kept}".rstrip()
        if not gone:
            return f"{self.line.trouble} {kept or SAFE}"
        return f"{gone} {VANISHED}" if self.facts.status == "running" and not self.over else gone

    def look_after_line(self) -> None:
        """Say so if the room does not respond, and remove that once it does."""
        if self.stands and self.line.waits != self.waits:
            self.waits = self.line.waits
            if self.waits:
                self.say(self.state_of_line)
            elif self.line.welcomed and self.view.note.startswith(WAITS):
                self.say("")

    def ask(self, request: m.Request) -> None:
        """Send a request immediately or, without a connection, after reconnecting."""
        self.call_later(self.deliver, self.line.asking(request))

    async def deliver(self, text: str) -> None:
        if not await self.line.send(text):
            self.say(self.state_of_line)

    @contextlib.contextmanager
    def saying(self, words: str) -> Iterator[None]:
        """Say what went wrong, in place of the braces in `words`, instead of raising FairdealError."""
        try:
            yield
        except FairdealError as problem:
            self.say(words.format(problem))

    @property
    def picking(self) -> bool:
        """Whether a choice has been sent and not yet answered. No other choice can be made until then."""
        return self.line.waits_for(m.Pick, m.Draft)

    def hear(self, text: str | bytes) -> None:
        """Decode a message from the room, and handle it."""
        try:
            message = self.line.decoded(text)
        except msgspec.DecodeError:
            self.say("The room sent a message that this version of fairdeal does not know. Please update fairdeal.")
            return
        kind = None
        if isinstance(message, m.Shown | m.Done | m.Refused | m.Answer | m.Inspected | m.Recalled):
            kind = self.line.answered(message.id)
        match message:
            case m.Welcome():
                self.welcome(message)
            case m.Shown():
                self.shown(message)
            case m.Refused() if kind is m.Hint and self.thinking:
                self.thinking = False
            case m.Refused():
                self.refused(message)
            case m.Answer():
                self.answered(message, kind)
            case m.Inspected():
                self.show_card(message.told)
            case m.Recalled():
                self.film(message.scenes)
            case m.Chat():
                self.hear_said(message.said)
            case m.Table():
                self.learn(message.facts)

    @work(exclusive=True, group="numbers")
    async def follow(self) -> None:
        """Send the commitment or the nonce that the deal waits for, and warn if the room contradicts itself."""
        with self.saying("{}"):
            await asyncio.to_thread(self.visit.follow, self.facts)
        keeper = self.visit.keeper
        wrong = keeper.wrong
        if wrong:
            self.say(f"✗ {wrong} Do not trust this room.")
        elif keeper.is_asked and self.facts.status == "open":
            self.say("Earlier deals failed. To play here anyway, press g to give another number.")
        elif words := keeper.left_open:
            self.say(f"? {words}")

    @work(exclusive=True, group="link")
    async def look_for_link(self) -> None:
        """Update the link for others, which changes when the room is opened to its network."""
        if self.facts.status == "open" and not self.was_lost:
            before = self.visit.invitation
            await asyncio.to_thread(self.visit.look_for_link)
            if self.visit.invitation != before and self.facts.status == "open":
                self.see(waiting_scene(self.facts, self.visit.invitation), self.view.note)

    def action_give(self) -> None:
        """Send a nonce for the deal although earlier deals have failed."""
        if self.visit.keeper.is_asked:
            self.visit.keeper.agree()
            self.say("Your number is added.")
            self.follow()

    def welcome(self, message: m.Welcome) -> None:
        self.line.welcomed = True
        self.line.learn_time(message.now)
        note = self.back_again(message.scene) if self.was_lost else self.visit.note
        self.was_lost = False
        if message.protocol > m.PROTOCOL:
            self.notify(v.NEWER_ROOM, severity="warning", timeout=8)
        self.learn(message.facts)
        if self.calm and message.facts.calm is not None and message.facts.seat >= 0:
            self.ask(m.Calm())
        self.ask_for_speed()
        self.panel.tell_moves(message.log, [chair.name for chair in self.facts.chairs])
        self.panel.hear(message.chat, fresh=False)
        if message.scene:
            self.shown(m.Shown(scene=message.scene), note)
        else:
            self.see(waiting_scene(self.facts, self.visit.invitation), note)

    def back_again(self, scene: Scene | None) -> str:
        """Return a sentence about the number of moves made while the connection was lost."""
        made = scene.seq - self.drawn.seq if scene else 0
        missed = f"{count_of(made, 'move was', 'moves were')} made meanwhile" if made > 0 else "nothing has changed"
        return f"You are back; {missed}."

    def shown(self, message: m.Shown, note: str = "") -> None:
        """Show a scene. If no move has been made since the previous scene, keep the current draft by requesting its
        scene again."""
        self.panel.tell_moves(message.log, [chair.name for chair in self.facts.chairs])
        if message.id == "" and self.draft and message.scene.seq == self.drawn.seq:
            if not self.picking:
                self.ask(m.Draft(draft=self.draft))
            self.say(note)
        else:
            self.see(message.scene, note)

    def refused(self, message: m.Refused) -> None:
        """Show the reason for an error, with the current scene if the table has changed."""
        words = f"{message.reason} ({message.clause})" if message.clause else message.reason
        if message.scene and message.scene.seq != self.drawn.seq:
            self.see(message.scene, words)
        else:
            self.say(words)

    def answered(self, message: m.Answer, kind: type[m.Request] | None) -> None:
        if kind is m.Hint:
            if self.thinking and not self.is_hinting:
                self.thinking = False
                return
            hint = Hint((), message.text, message.choices, message.marks, message.options, message.of)
            self.show_hint(hint, further=self.thinking)
            self.thinking = bool(message.look)
            if message.look:
                self.ask(m.Hint(look=message.look))
        else:
            self.say(f"{message.text} ({message.clause})" if message.clause else message.text)
            if self.noting and message.bite:
                self.noting.wait([message.bite])

    @property
    def hurried(self) -> bool:
        return 0 < self.facts.clock < HURRY

    def learn(self, facts: m.Facts) -> None:
        """Handle changed facts: chairs, the deal or the status."""
        before, self.facts = self.facts, facts
        if facts.trouble not in ("", before.trouble):
            self.say(facts.trouble)
        if before.status == "open" and facts.status == "running":
            self.ask_for_speed()
        self.follow()
        if facts.status == "open":
            self.see(waiting_scene(facts, self.visit.invitation), self.view.note)
        else:
            self.update_side(self.drawn)
            self.redraw()
        self.hear_of_rematch(before)
        if facts.rematch and self.wants_rematch:
            self.go("again")

    def ask_for_speed(self) -> None:
        """Set the bots to this user's speed if all other players are bots."""
        facts = self.facts
        if is_with_bots(facts) and facts.seat != SPECTATOR and facts.status == "running":
            self.ask(m.Speed(speed=self.tempo.speed))

    def skip_to_end(self) -> None:
        self.ask(m.Speed(speed="instant"))

    def action_speed(self) -> None:
        super().action_speed()
        self.ask_for_speed()

    # --- picking and asking ---------------------------------------------------------------------------------

    def pick(self, choice: Choice) -> None:
        """Send a choice. If the room has not responded in time to the last one, say so instead."""
        if self.picking and (self.line.waits or not self.line.welcomed):
            self.say(self.state_of_line)
        elif not self.picking:
            self.ask(m.Pick(seq=self.drawn.seq, choice=choice.id, draft=self.draft))

    def unpick(self) -> None:
        if not self.picking:
            self.ask(m.Draft(draft=self.draft[:-1]))

    def ask_why(self, card: str) -> None:
        self.ask(m.Why(card=card, draft=self.draft))

    def ask_about(self, card: str) -> None:
        self.ask(m.Inspect(card=card, draft=self.draft))

    def recall(self) -> None:
        self.ask(m.Recall())

    def show_decided(self) -> None:
        if self.drawn.result and self.drawn.result.decided:
            self.fetch_moves(self.drawn.result.decided.move)

    @work(exclusive=True, group="ending")
    async def fetch_moves(self, move: int) -> None:
        """Fetch a move of the finished game from the room, and show it."""
        seat = self.facts.seat
        with self.saying("{}"):
            before = await asyncio.to_thread(self.visit.moment, move - 1, seat)
            self.show_moves(before, await asyncio.to_thread(self.visit.moment, move, seat))

    def find_hint(self) -> None:
        """Request a hint from the room."""
        if is_yours(self.drawn):
            self.thinking = False
            self.ask(m.Hint())

    def undo_move(self) -> None:
        if self.drawn.viewer != SPECTATOR and not self.line.waits_for(m.Undo):
            self.ask(m.Undo(seq=self.drawn.seq))

    # --- others ---------------------------------------------------------------------------------------------

    def hear_said(self, said: m.Said) -> None:
        """Add a line of chat to the panel. If the panel is hidden, show the line over the table briefly."""
        if said.seat != self.facts.seat and not self.panel.talking:
            self.notify(said.text, title=said.name, timeout=5, markup=False)
        self.panel.hear([said], fresh=True)
        if said.text in SIGNS and said.seat >= 0:
            self.reactions[said.seat] = said.text, time.monotonic()
            self.redraw()

    def on_spoken(self, event: Spoken) -> None:
        self.ask(m.Say(text=event.text))

    def action_react(self) -> None:
        ways = [(f"{sign} {words}", partial(self.ask, m.Say(text=sign))) for sign, words in REACTIONS]
        self.choose("A quick reaction", ways)

    def action_report(self) -> None:
        """Let the user choose the name of another guest, or a line of the chat, and report it to the keeper."""
        found = [(f"the name {chair.name}", Report(seat=chair.seat)) for chair in self.facts.chairs if chair.is_other]
        for line in reversed(self.panel.said):
            if line.seat == SPECTATOR or line.seat != self.facts.seat:
                found.append((f"{line.name}: {line.text}", Report(seat=line.seat, at=line.at)))
        if not found:
            self.say("There is nothing to report: nobody else is here, and nobody else has talked.")
            return
        ways = [(shortened(words, WIDEST_CHOICE), partial(self.report, what)) for words, what in found]
        self.choose("Report to the keeper of the room", ways)

    @work(group="report")
    async def report(self, what: Report) -> None:
        with self.saying("Not reported: {}."):
            await asyncio.to_thread(self.visit.report, what)
            self.say("Reported. The keeper does not learn who reported it.")

    @work(exclusive=True, group="history")
    async def action_history(self) -> None:
        """Show the user's finished games and ratings."""
        with self.saying("Your games cannot be shown: {}."):
            found = await asyncio.to_thread(self.visit.fetch, "/api/me/history", History)
            self.app.push_screen(
                HelpDialog(history_in_words(found), "Your games", count_of(found.games, "finished game"))
            )

    @work(exclusive=True, group="onward")
    async def action_onward(self) -> None:
        """Go to the next table that waits for the user."""
        with self.saying("{}."):
            found = await asyncio.to_thread(self.visit.fetch, "/api/me/turns", list[str])
            others = [table for table in found if table != self.facts.id]
            self.say(f"{count_of(len(others), 'other table waits', 'other tables wait')} for you.")
            if others:
                self.to = others[0]
                self.go("again")

    def action_bot_or_analysis(self) -> None:
        """Let a bot play for an absent player, or take over the user's own seat from a bot. After the game, open its
        analysis."""
        chairs = self.facts.chairs
        idle = [chair for chair in chairs if is_idle(chair, self.facts)]
        if self.over:
            self.analyse()
        elif self.facts.seat != SPECTATOR and chairs[self.facts.seat].stand_in:
            self.ask(m.StandIn(seat=self.facts.seat, on=False))
        elif len(idle) == 1:
            self.ask(m.StandIn(seat=idle[0].seat))
        elif idle:
            ways = [(chair.name, partial(self.ask, m.StandIn(seat=chair.seat))) for chair in idle]
            self.choose("Let a bot play for", ways)
        else:
            self.say("No player is away, so no bot is needed.")

    def hear_of_rematch(self, before: m.Facts) -> None:
        """Announce that another player has asked for a rematch, and to spectators that one has begun."""
        for old, new in zip(before.chairs, self.facts.chairs, strict=False):
            if new.ready and not old.ready and new.seat != self.facts.seat and not self.facts.rematch:
                self.notify("would like another game.", title=new.name, timeout=8, markup=False)

        if self.facts.rematch and not before.rematch and self.facts.seat == SPECTATOR:
            self.notify("The players have begun a rematch.", timeout=8)
            if isinstance(self.app.screen, Ending):
                self.show_ending(renewed=True)

    # --- the end --------------------------------------------------------------------------------------------

    def action_result(self) -> None:
        self.show_ending()

    @work(exclusive=True, group="ending")
    async def show_ending(self, renewed: bool = False) -> None:
        """Verify the deal, and then show the result. If it is shown already, it stays, or is `renewed`."""
        if self.checked is None:
            self.checked = await asyncio.to_thread(self.visit.check)
            self.update_side(self.drawn)
        if isinstance(self.app.screen, Ending):
            if not renewed:
                return
            await self.app.pop_screen()
        wishes = [("look", "Table"), (ANALYSIS, "Analysis"), ("leave", "Leave")]
        if self.facts.seat == SPECTATOR:
            again = [("again", "Watch the rematch")] if self.facts.rematch else []
        else:
            again = [] if self.facts.origin else [("again", "Rematch")]
        ending = Ending(self.drawn, self.checked[0], [*again, *wishes], score_in_words(self.facts))
        self.app.push_screen(ending, self.wished)

    def wished(self, wish: str | None) -> None:
        if wish == DECIDED:
            self.show_decided()
        elif wish == ANALYSIS:
            self.analyse()
        elif wish == "leave" or (wish == "again" and self.facts.rematch):
            self.go(wish)
        elif wish == "again":
            self.wants_rematch = True
            self.ask(m.Rematch(hash=self.visit.bind_next(self.facts.deal.next)))
            self.say("The rematch begins when everybody here wants it.")

    @work(exclusive=True, group="ending")
    async def analyse(self) -> None:
        """Fetch the log of the finished game, and open its analysis."""
        with self.saying("This game cannot be analysed here: {}"):
            sitting = await asyncio.to_thread(self.visit.finished)
            self.app.push_screen(AnalysisScreen(sitting, self.visit.log_file, self.catalogue))

    def action_leave(self) -> None:
        if self.over:
            self.action_result()
        elif self.facts.seat == SPECTATOR or self.line.gone:
            self.dismiss("leave")
        else:
            words = leaving(self.facts)
            if self.facts.status == "running":
                words += f"\nfairdeal join {self.visit.link}"
            self.app.push_screen(LeaveDialog(words), self.sure)

    def sure(self, sure: bool | None) -> None:
        if sure:
            self.leave()

    @work
    async def leave(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_GOODBYE):
                await asyncio.to_thread(self.visit.leave)
        self.go("leave")

    def go(self, wish: str) -> None:
        """Close the screen of this table, and all dialogs that cover it."""
        while self.app.screen is not self:
            self.app.pop_screen()
        self.dismiss(wish)


class RemoteApp(FairdealApp):
    """The terminal program for the tables of a room."""

    def __init__(self, visit: v.Visit, **wishes: Any) -> None:
        super().__init__(**wishes)
        self.visit = visit
        self.problem: FairdealError | None = None

    def on_unmount(self) -> None:
        """Cancel the unanswered requests. Their threads would keep the program from exiting."""
        self.visit.close()

    @work
    async def play_tables(self) -> None:
        """Show a table, and then its rematches and others that wait for the user."""
        try:
            while True:
                screen = RemoteScreen(self.visit, self.tempo, self.notes, self.calm)
                if await self.push_screen_wait(screen) != "again":
                    break
                await asyncio.to_thread(self.visit.move_on, screen.to or screen.facts.rematch)
        except FairdealError as problem:
            self.problem = problem
        self.exit()


def run(link: str, name: str | None, calm: bool, words: str = "") -> None:
    """Play at a room's table, and at those of its rematches, as the guest whose name is kept under `words`, if there
    are any. Raises FairdealError if a table does not exist, or if no name is kept under these words."""
    with contextlib.closing(v.Visit(link)) as visit:
        visit.fetch(visit.path, m.Facts)
        require_terminal()  # or a seat would be taken that nobody can play
        visit.come_in(name, words)
        app = RemoteApp(visit, notes=notes_file(), speed=speed_file(), calm=calm)
        app.run()
        if app.problem:
            raise app.problem
