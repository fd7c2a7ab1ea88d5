"""Every page, every dialog and every kind of prompt at six sizes of screen: all that is written can be read, all that
can be pressed can be touched, nothing moves before it is pressed, and axe finds nothing.

The states enumerate themselves: pages come from the program's own list, what opens from every button that opens
something, prompts from random games of every title with every preset. With `--part all`, or if this file is named, all
of them are looked at. Where FAIRDEAL_SCREENSHOTS names a folder, it gets a picture of each state at each size, by day
and by night.
"""

import random
import re
from functools import partial

import pytest

from fairdeal.engine.errors import BadOption
from fairdeal.engine.registry import find_game, game_names
from fairdeal.server.static_files import WEB
from fairdeal.testing.play import table_of
from tests.conftest import SHORT, at_most_two
from tests.server.measuring import DRAWN_ANEW, LEAST, LEAST_LETTER, LEAST_TARGET, LIGHTS, MEASURE, SEEN, moved, resize
from tests.server.test_browser import BY_NIGHT, IN_FORCED_COLOURS, violations
from tests.server.test_missing import STATES, finished
from tests.server.visiting import (
    PAINTED,
    PICTURES,
    STILL,
    Wire,
    keep,
    open_with,
    plain,
    press,
    running,
    sit_at,
    wait_until_over,
)

SCREENS = {
    f"{width}x{height}": {"width": width, "height": height}
    for width, height in ((360, 640), (390, 844), (844, 390), (768, 1024), (1280, 800), (1920, 1080))
}

ZOOMED = {"width": 640, "height": 400}
"""What a desk of 1280 by 800 has at double zoom."""

DESKS = ("1280x800", "1920x1080")
LEAST_FACE = 64
"""Pixels of width that a card in the middle has on a desk, wherever the table has room."""

SAMPLE = 4
"""Number of prompts of a game that are looked at where a part of the examples is run."""

NAMES = ("Ada", "Bo", "Cleo", "Dai", "Eve", "Finn", "Gil", "Hana")

OPENERS = "summary, [aria-haspopup=dialog], [aria-expanded=false]:not([disabled]), [role=tab][aria-selected=false]"
"""Everything that opens something, by what it tells a screen reader."""

OPENED = """(selector) => [...document.querySelectorAll(selector)].map((one, number) => [one, number])
    .filter(([one]) => {
        const { left, top, width, height } = one.getBoundingClientRect(), [x, y] = [left + width / 2, top + height / 2];
        return one.checkVisibility() && (y > innerHeight || one.contains(document.elementFromPoint(x, y)));
    }).map(([one, number]) => [number, one.ariaLabel || one.textContent.trim()])"""


def look_closely(page):
    page.keyboard.press("Escape")
    page.locator(".hand .card").first.focus()
    page.keyboard.press("i")


DIALOGS = {
    "game-sheet": ("/?game=chi", None, lambda page: None),
    "friends": ("/?game=chi", None, lambda page: press(page.locator(".game-sheet"), "With friends")),
    "sure": ("/t/{table}", running, lambda page: press(page, "Leave")),
    "inspector": ("/t/{table}", running, look_closely),
    "popover": ("/t/{table}", running, lambda page: page.keyboard.press("l")),
}
"""Everything in the sources that says it is a dialog, by its class, with its page and what opens it there."""

BESIDE = """() => {
    const panel = document.querySelector('.inspector'), id = panel?.querySelector('.card').dataset.id;
    const card = [...document.querySelectorAll('.table .card')]
        .find((one) => one.dataset.id === id && !panel?.contains(one));
    if (!panel || !card?.checkVisibility()) return [];
    const [one, other] = [panel, card].map((part) => part.getBoundingClientRect());
    const apart = one.left >= other.right || other.left >= one.right || one.top >= other.bottom
        || other.top >= one.bottom;
    const near = Math.max(one.left - other.right, other.left - one.right) < 24;
    return apart && (near || innerWidth < 640) ? [] : ['the words do not lie beside their card'];
}"""
"""Do the words on a card that is looked at lie elsewhere than beside it?"""

UNCOVERED = """() => [...document.querySelectorAll('.table .card[data-id]')].map((one) => {
    const { left, top, width, height } = one.getBoundingClientRect(), at = [left + width / 2, top + height / 2];
    return one.contains(document.elementFromPoint(...at)) && at;
}).find(Boolean)"""
"""Where the mouse is over a card that the result does not cover."""

ROOMY = """([wanted, letter]) => {
    const field = document.querySelector('.middle'), wrong = [];
    if (!field || document.querySelector('[data-lifted], .verdict, .popover')) return wrong;
    const room = field.getBoundingClientRect();
    const cards = [...field.querySelectorAll('.zone:not([data-size=mini]) .card, .zone .gap')]
        .filter((one) => one.checkVisibility() && !one.closest('.headline'));
    if (!cards.length) return wrong;
    const boxes = cards.map((one) => one.getBoundingClientRect());
    const most = Math.max(...boxes.map(({ width }) => width));
    const [wide, high] = [['left', 'right', 'width'], ['top', 'bottom', 'height']].map(([near, far, side]) =>
        room[side] / (Math.max(...boxes.map((box) => box[far])) - Math.min(...boxes.map((box) => box[near]))));
    const could = most * Math.min(wide, high, 2) * 0.9;
    const below = field.matches(':has(> .band)') && field.children.length === 2;  // one zone, for which there is room
    if (most < wanted - 0.5 && (below || could > most * 1.15) && !field.querySelector(':scope > .stage'))
        wrong.push(`cards are ${Math.round(most)} wide where there is room for ${Math.round(could)}`);
    for (const card of document.querySelectorAll(':is(.theirs, .mine) > .zone .card')) {
        const { width } = card.getBoundingClientRect();
        if (width < wanted - 0.5) wrong.push(`${card.ariaLabel} in an area is only ${Math.round(width)} wide`);
    }
    for (const name of document.querySelectorAll('.hand .card > .foot')) {
        const size = parseFloat(getComputedStyle(name).fontSize);
        if (name.checkVisibility() && size < letter - 0.1) wrong.push(`"${name.textContent}" in a hand has ${size} px`);
    }
    return wrong;
}"""
"""Are the cards in the middle smaller than they should be, and than they could be if they filled it? Those in the areas
of two players have their own room. In a hand the names on them can be read."""

TOGETHER = """(least) => {
    const box = (one) => one.getBoundingClientRect(), wrong = [];
    const question = box(document.querySelector('.prompt .question'));
    if (question.top < 0 || question.bottom > innerHeight || question.right > innerWidth) wrong.push('the question');
    for (const card of document.querySelectorAll('.hand .card, .prompt .btn, .prompt .opt')) {
        const { left, right, top, bottom } = box(card);
        const wide = Math.min(right, innerWidth) - Math.max(left, 0);
        const high = Math.min(bottom, innerHeight) - Math.max(top, 0);
        if (card.checkVisibility() && (high < least || (wide < least && !card.closest('.rail'))))
            wrong.push(card.ariaLabel ?? card.textContent);
    }
    return wrong.map((one) => `${one} is out of sight`);
}"""
"""What of the question, its answers and the hand is not in view, without scrolling."""


class Crawl:
    """Looks at the states of a page at every size, and keeps what is wrong."""

    def __init__(self, page, tmp_path):
        self.page, self.tmp_path, self.wrong, self.looks = page, tmp_path, [], 0

    def look(self, where, more=lambda label: [], open_it=lambda: None):
        """Look at a page. `more` returns what else is wrong at a size, and `open_it` opens what a new size closes."""
        for label in SCREENS:
            resize(self.page, SCREENS[label])
            open_it()
            found = self.page.evaluate(SEEN, [LEAST_LETTER, LEAST_TARGET])
            self.wrong += [f"{where}, {label}: {one}" for one in [*found, *more(label)]]
            self.looks += 1
            self.picture(f"{where}-{label}")

    def picture(self, name):
        if PICTURES is not None:
            for scheme in ("light", "dark"):
                self.page.emulate_media(color_scheme=scheme)
                keep(self.page, f"{name}-{scheme}", self.tmp_path)
            self.page.emulate_media(color_scheme="light")

    def axe(self, where, screens=(("390x844", ()), ("1280x800", (BY_NIGHT, IN_FORCED_COLOURS)))):
        """Let axe look at a page on a phone, and on a desk by day, by night and in forced colours; or at other sizes,
        each with other colours than those by day."""
        for label, more in screens:
            resize(self.page, SCREENS[label])
            self.wrong += [f"{where}, {label}: axe: {one}" for one in violations(self.page, more)]

    def end(self):
        assert self.looks, "nothing was looked at"
        assert not self.wrong, f"{len(self.wrong)} faults\n" + "\n".join(self.wrong)


@pytest.fixture
def crawl(tmp_path):
    return partial(Crawl, tmp_path=tmp_path)


def test_every_dialog_has_a_state():
    """DIALOGS has every dialog of the sources."""
    found = set()
    for file in WEB.rglob("*.js"):
        if "vendor" not in file.parts:
            text = file.read_text("utf-8")
            for tag in re.findall(r"<(?:dialog|\w+)\s[^>]*?>", re.sub(r"\$\{[^}]*\}", "", text), re.S):
                if tag.startswith("<dialog") or 'role="dialog"' in tag:
                    found |= {(re.search(r'class="([\w-]+)', tag) or ["", file.stem])[1]}
    assert found == {*DIALOGS}


@pytest.mark.parametrize("state", STATES)
def test_pages(state, visit, crawl):
    """Everything that opens is opened on a phone and on a desk, and axe looks at it there."""
    address, make, wanted = STATES[state]
    page = visit(**STILL)
    path, name, pressed = address.format(table=make and make(page)), state.replace(" ", "-"), set()

    def load():
        page.goto(path)
        page.wait_for_selector(wanted)
        page.wait_for_function("() => document.fonts.status === 'loaded'")

    load()
    looked = crawl(page)
    looked.look(name)
    looked.axe(name)
    for size in ("390x844", "1280x800"):
        page.set_viewport_size(SCREENS[size])
        load()
        for number, label in page.evaluate(OPENED, OPENERS):
            what = re.sub(r"\W+|\d+", "-", label.lower())[:30].strip("-")
            if what in pressed:
                continue
            pressed.add(what)
            load()
            page.locator(OPENERS).nth(number).click()
            page.evaluate(DRAWN_ANEW)
            looked.look(f"{name}-{what}")
            looked.axe(f"{name}-{what}", [(size, ())])
    looked.end()


@pytest.mark.parametrize("dialog", DIALOGS)
def test_dialogs(dialog, visit, crawl):
    address, make, open_it = DIALOGS[dialog]
    page = visit(**STILL)
    page.goto(address.format(table=make and make(page)))
    page.wait_for_selector(".prompt[data-yours], .game-sheet .chair")

    def open_again():
        if not page.locator(f".{dialog}").count():
            open_it(page)
            page.wait_for_selector(f".{dialog}")
            page.evaluate(DRAWN_ANEW)

    looked = crawl(page)
    looked.look(f"dialog-{dialog}", lambda label: page.evaluate(BESIDE), open_it=open_again)
    looked.axe(f"dialog-{dialog}")
    looked.end()


def test_a_card_is_looked_at_over_a_result(visit, crawl):
    page = visit(**STILL)
    page.goto(f"/t/{finished(page)}")
    page.wait_for_selector(".verdict")

    def look():
        page.keyboard.press("Escape")
        page.mouse.move(*page.evaluate(UNCOVERED))
        page.keyboard.press("i")
        page.wait_for_selector(".inspector[data-how=key]")
        page.evaluate(DRAWN_ANEW)

    looked = crawl(page)
    looked.look("dialog-inspector-over-result", open_it=look)
    looked.end()


def kind_of(scene, known):
    """Return what a question asks, without the cards and players it names, and what answers it."""
    words = [word for word in re.findall(r"[a-z]+", scene.prompt.text.lower()) if word not in known]
    answers = frozenset(choice.kind for choice in scene.choices)
    return " ".join(words[:3]), answers, type(scene.stage).__name__, bool(scene.draft)


def words_of(game, options):
    """Return the words in names of cards and players."""
    names = [face.name for face in dict(game.faces(options)).values()]
    return {word for name in [*names, *NAMES] for word in re.findall(r"[a-z]+", name.lower())}


def scenes_of(table, name):
    """Yield the scenes of random games for seats that may act, with those of unfinished moves."""
    dice = random.Random(name)
    for seed in range(2):
        state = table.deal(str(seed))
        for _ in range(60):
            if state.over:
                break
            seat = dice.choice(state.to_act)
            seen, draft, move = state.seen_by(seat, NAMES[: state.players]), (), None
            while move is None:
                scene = seen.scene(draft)
                yield scene
                picked = seen.pick(draft, dice.choice(scene.choices).id, scene)
                draft, move = picked.draft, picked.move
            for action in move:
                state.apply(seat, action)


def prompts(game, part):
    """Return one scene of every kind of prompt, or some of them where a part is run, by their tables: players and
    preset."""
    found, kinds = [], set()
    fewest, most = game.players
    for players in sorted({fewest, min(3, most), most}):
        for preset in game.presets:
            try:
                table = table_of(game, {"players": players}, preset)
            except BadOption:  # the preset is for other numbers of players
                continue
            known = words_of(game, table.options)
            for scene in scenes_of(table, f"{game.name} {players}"):
                kind = kind_of(scene, known)
                if kind not in kinds:
                    kinds.add(kind)
                    shown = scene.replaced(events=(), recap=(), round=None, resolved=None, bites=())
                    found.append(((players, preset), shown))
    chosen = found if part == "all" else random.Random(part).sample(found, min(SAMPLE, len(found)))
    return {at: [scene for place, scene in chosen if place == at] for at in dict(chosen)}


class Frames:
    """Where the parts of a table are at each size, for each viewer."""

    def __init__(self, page):
        self.page, self.frames, self.viewer = page, {}, None

    def look(self, label):
        """Return what is wrong with a table, and what of it has moved since it was seen last."""
        found = self.page.evaluate(MEASURE, LEAST)
        is_new = (label, self.viewer) not in self.frames
        before = self.frames.setdefault((label, self.viewer), found["frame"])
        gone = moved(before, found["frame"])
        small = self.page.evaluate(ROOMY, [LEAST_FACE, LEAST_LETTER]) if label in DESKS else []
        lit = self.page.evaluate(LIGHTS)["found"] if is_new else []
        return [*found["wrong"], *([f"moved: {gone}"] if gone else []), *small, *lit]


@pytest.mark.parametrize("game", game_names())
def test_prompts(game, visit, crawl, request):
    """Tables hold still, too, from one prompt to the next."""
    title, page = find_game(game), visit(overheard=True, **STILL)
    looked, shown = crawl(page), [None]
    wire = Wire(page, lambda message: message | {"scene": plain(shown[0])} if message.get("scene") else message)
    for (players, preset), scenes in prompts(title, request.config.option.part).items():
        shown[0], frames = scenes[0], Frames(page)
        options = dict(title.presets[preset]) | {"players": players}
        sit_at(page, game, ["you", *["greedy"] * (players - 1)], options=options, wanted=".prompt")
        page.wait_for_function("() => document.fonts.status === 'loaded'")
        for number, scene in enumerate(scenes):
            where, told = f"{game}-{players}-{preset}-{number}", f"look {number}"
            shown[0], frames.viewer = scene.replaced(sub=told), scene.viewer
            wire.show(shown[0])
            page.wait_for_function("(told) => document.querySelector('.sub')?.textContent.includes(told)", arg=told)
            looked.look(where, frames.look)
            resize(page, ZOOMED)
            looked.wrong += [f"{where}, zoomed: {one}" for one in page.evaluate(TOGETHER, LEAST_TARGET)]
            looked.picture(f"{where}-zoomed")
            if number == 0:
                looked.axe(where)
    looked.end()


ENDLESS = """() => document.getAnimations().map(({ effect }) => effect)
    .filter((effect) => effect.getTiming().iterations === Infinity).map((effect) => effect.target.className)"""


@pytest.mark.parametrize("game", ["war-xtreme", "chip-it", "chi", "chaos-ninjas", "chimax-books"])
def test_spectators(game, visit, crawl):
    player, page, players = visit(), visit(**STILL), find_game(game).players[1]
    options = {"players": players} | ({"ask_extreme": False} if game == "war-xtreme" else {})
    table = open_with(player, game, ["you", *["greedy"] * (players - 1)], options=options)
    player.goto(f"/t/{table}")  # or the game would be paused
    page.goto(f"/t/{table}?watch")
    page.wait_for_selector(".dots")
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    assert page.evaluate(ENDLESS) == [], "nothing moves if a spectator wishes for less motion, not even while they wait"
    looked = crawl(page)
    looked.look(f"{game}-watched", Frames(page).look)
    assert page.locator(".seat .who b").count() == players
    assert page.locator(".seat .count b").count() >= players
    looked.end()


@pytest.mark.parametrize("game", game_names())
def test_ends(game, visit, crawl):
    page, players = visit(**STILL), at_most_two(game)
    looked, options = crawl(page), {"players": players} | SHORT.get(game, {})
    table = open_with(page, game, ["greedy"] * players, options=options)
    wait_until_over(page, table)
    for name, path, wanted in (("over", f"/t/{table}", ".verdict"), ("replay", f"/t/{table}?move=3", ".scrub")):
        page.goto(path)
        page.wait_for_selector(wanted)
        looked.look(f"{game}-{name}")
        looked.axe(f"{game}-{name}")
    looked.end()


SHIFTS = """() => {
    window.shifts = [];
    const observer = new PerformanceObserver((list) => window.shifts.push(...list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
}"""
SHIFTED = """() => window.shifts.filter((one) => !one.hadRecentInput).map(({ value, sources }) =>
    [value, sources.map(({ node }) => node?.className ?? node?.nodeName ?? '')])"""
MOST_SHIFT = 0.1
"""How much of a page may move before anything is pressed: the score from which Chromium calls it bad."""


@pytest.mark.parametrize("state", STATES)
def test_nothing_moves_while_a_page_loads(state, visit):
    address, make, wanted = STATES[state]
    for size in ("390x844", "1280x800"):
        page = visit(size=SCREENS[size], **STILL)
        page.add_init_script(f"({PAINTED})()")  # what is not painted does not shift
        page.add_init_script(f"({SHIFTS})()")
        path = address.format(table=make and make(page))
        for time in ("first", "second"):
            page.goto(path)
            page.wait_for_selector(wanted)
            page.evaluate(DRAWN_ANEW)
            shifts = page.evaluate(SHIFTED)
            assert sum(value for value, _ in shifts) < MOST_SHIFT, f"{size}, {time} visit: {shifts}"
