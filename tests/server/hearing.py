"""A player who hears a table and has nothing but keys: they know the roles, names and states of the accessibility
tree, and the live text."""

import json
import re
import time
from dataclasses import dataclass, field

HEAR = """() => {
    const live = document.getElementById('live');
    window.told = [];
    const note = () => live.textContent && window.told.push(live.textContent);
    new MutationObserver(note).observe(live, { childList: true });
}"""
"""Keep every text that a screen reader would say, however soon the next one comes."""

PLACES = ("region", "article", "group", "dialog")
"""Roles of what readers jump to, which is therefore called by a name of its own."""

WAYS = ("ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp")
BESIDE = re.compile(r"^([A-Z]+\d?-\d+\w*|Undo|More|Close)$")
"""Buttons in a question that are no answers: clauses, and what takes back, opens or closes something."""


@dataclass
class Node:
    """A part of the page as it is heard, with the parts that it belongs to, the innermost last."""

    role: str
    name: str
    states: set[str]
    within: list["Node"] = field(compare=False, repr=False)
    text: str = ""

    def lies_in(self, role, name=""):
        return any(one.role == role and one.name.startswith(name) for one in self.within)

    @property
    def is_able(self):
        return self.role in ("button", "slider") and "disabled" not in self.states and not BESIDE.match(self.name)

    @property
    def is_answer(self):
        """Whether pressing it answers the question. The plate of a player does not."""
        if self.role == "slider" or "pressed" in self.states or self.name.endswith(("can be chosen", "Spin it")):
            return True
        player = next((one.name.split(",")[0] for one in self.within if one.role == "article"), "")
        if player:
            return not self.name.startswith(f"{player} ")
        return self.lies_in("group", "Your move: ") or self.lies_in("group", "Race.")


LINE = re.compile(r'(\w+)(?: ("(?:[^"\\\\]|\\\\.)*"))?((?: \[[^\]]*\])*)(?::(.*))?')


def heard_in(snapshot):
    """Return what is heard of a part of a page, in the order of reading."""
    found, within = [], []
    for line in snapshot.splitlines():
        bare = line.lstrip(" ").removeprefix("- ")
        depth = len(line) - len(line.lstrip(" "))
        if bare.startswith("'"):
            quoted = re.match(r"'((?:[^']|'')*)'(.*)", bare)
            bare = quoted[1].replace("''", "'") + quoted[2]
        role, name, states, text = LINE.match(bare).groups()
        within = [(far, one) for far, one in within if far < depth]
        holders = [one for _, one in within]
        node = Node(
            role, json.loads(name or '""'), set(re.findall(r"\[(\w+)\]", states)), holders, (text or "").strip(' "')
        )
        within.append((depth, node))
        if role == "text" and holders:
            holders[-1].text = f"{holders[-1].text} {node.text}".strip()
        elif role != "generic":
            found.append(node)
    return found


class Listener:
    """Someone at a table who plays it by ear. `turns` counts the questions that began with the focus on an answer or
    one key away from it, and `opened` are those that a choice opened."""

    def __init__(self, page, chance):
        self.page, self.chance, self.told, self.turns, self.opened = page, chance, [], 0, set()
        page.evaluate(HEAR)
        self.before = len(self.lines())

    def listen(self):
        """Hear the page as it is now, and what was told since."""
        self.told += self.page.evaluate("told.splice(0)")
        self.page_now, self.focus = heard_in(self.page.locator("main").aria_snapshot()), None
        at = self.page.locator(":focus")
        found = heard_in(at.aria_snapshot()) if at.count() else []
        self.focus = next((one for one in self.page_now if found and one == found[0]), None)
        return self.page_now

    def press(self, key):
        self.page.keyboard.press(key)

    def one(self, role, name=""):
        return next((one for one in self.page_now if one.role == role and one.name.startswith(name)), None)

    @property
    def is_over(self):
        return self.one("region", "Result")

    @property
    def question(self):
        return self.one("group", "Your move: ")

    def answers(self):
        """What can be chosen: in a dialog that has opened, on the table, and in the question."""
        dialog = self.one("dialog", "Which of these?") or self.one("dialog", "What else?")
        return [one for one in self.page_now if one.is_able and (dialog in one.within if dialog else one.is_answer)]

    def check(self):
        """Every place has a name of its own, those of another player lie in that player's part and say so, nothing is
        called by what a press does to the page, and each answer has a name."""
        places = [one for one in self.page_now if one.role in PLACES]
        names = [(one.role, one.name) for one in places]
        assert all(name for role, name in names if role != "group"), names
        assert len(set(names)) == len(names), sorted({one for one in names if names.count(one) > 1})
        for player in (one.name.split(",")[0] for one in places if one.role == "article"):
            for one in places:
                is_in_the_middle = any(part.role in ("region", "listitem") for part in one.within)
                if one.name.startswith(f"{player}’s ") and not is_in_the_middle:
                    assert one.lies_in("article", player), f"{one.name} lies elsewhere"
                if one.lies_in("article", player):
                    assert one.name.startswith(f"{player}’s "), f"{one.name} does not say whose it is"
        assert not [one.name for one in self.page_now if "look closer" in one.name]
        assert all(one.name for one in self.answers())

    def wait_for_change(self, before, patience=0.3):
        """Wait until something else is heard; not for long, as some keys change nothing."""
        until = time.monotonic() + patience
        while self.listen() == before and time.monotonic() < until:
            pass

    def hear_what_opened(self):
        """The question that a choice has opened has the focus, which names it, and is told."""
        asked = self.question.name.removeprefix("Your move: ")
        if asked in self.opened or not self.one("button", "Undo"):
            return
        self.opened.add(asked)
        assert self.focus == self.question or self.question in self.focus.within, f"{asked} has not got the focus"
        self.until(lambda: any(asked in text for text in self.told), f"{asked} is not told")

    def until(self, holds, problem, patience=20.0):
        """Wait until something holds, while the page is heard."""
        end = time.monotonic() + patience
        while not holds():
            assert time.monotonic() < end, problem
            self.listen()

    def lines(self):
        """Return the lines of the log, without their numbers."""
        log = heard_in(self.page.locator(".log").aria_snapshot())
        return [re.sub(r"^\d+ ", "", line.text) for line in log if line.role == "listitem" and line.text]

    def check_the_log(self):
        """All lines that came meanwhile were told in their order, but for the last ones, which wait. Return how many
        came. Of players who do the same, `Bo too` is enough."""
        at, found = 0, []
        for text in self.lines()[self.before :]:
            said = (text.rstrip("."), f"{text.partition(' ')[0]} too")
            later = [n for n in range(at, len(self.told)) if any(words in self.told[n] for words in said)]
            at = later[0] if later else at
            found.append((text, bool(later)))
        lost = [text for n, (text, is_told) in enumerate(found) if not is_told and any(one for _, one in found[n:])]
        assert not lost, f"not told: {lost}"
        return len(found)

    def find_an_answer(self):
        """Go to an answer, which has the focus or is one key away."""
        asked = self.question.name
        if self.focus in self.answers():
            self.turns += 1
            return True
        self.press(self.chance.choice(WAYS))
        self.listen()

        def goes_on():  # as others act at the same time
            return not self.question or self.question.name != asked

        self.until(lambda: goes_on() or self.focus in self.answers(), f"{asked} One key does not lead to an answer")
        self.turns += 1
        return not goes_on()

    def choose(self):
        """Answer the question: go to an answer, from there to others, and choose one."""
        undo, main = self.one("button", "Undo"), any(one.name.endswith(" Enter") for one in self.answers())
        if undo and main and self.chance.random() < 0.9:
            self.press("Enter")
            return
        if undo and self.chance.random() < 0.2:
            self.press("Escape")
            return
        if not self.find_an_answer():
            return
        way = self.chance.choice(WAYS[:2])
        for _ in range(self.chance.randrange(6)):
            self.press(way)
        self.listen()
        while self.focus not in self.answers():  # a card that cannot be chosen lies on the way
            if not self.question:
                return
            self.press(WAYS[0])
            self.listen()
        self.press("Enter" if self.focus.role == "slider" else " ")

    def play_out(self, most, look=lambda: None):
        """Play to the end, and look at the page now and then."""
        for step in range(most):
            if not step % 3:
                look()
            before = self.listen()
            if self.is_over:
                return
            self.check()
            if self.question:
                self.hear_what_opened()
                self.choose()
            self.wait_for_change(before)
        raise AssertionError(f"the game does not end: {[(one.role, one.name) for one in self.page_now]}")
