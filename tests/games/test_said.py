"""Everything that a scene counts, ranks or calls the first, the last or the lowest is so.

Independent code compares the scenes of random games of every title and preset with their positions.
"""

import functools
import random
import re
from collections import Counter

import fairdeal
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.registry import find_game, game_names
from fairdeal.engine.rulebook import clauses
from fairdeal.engine.scene import places_by
from fairdeal.engine.scene.shown import singular
from fairdeal.testing.play import play_at_random, viewers
from fairdeal.testing.scenes import unfinished
from tests.conftest import SHORT

NAMES = ("Ada", "Bo", "Cleo", "Dai", "Eve", "Finn", "Gil", "Hana")
LOOKS = 60
"""Scenes of a running game that are looked at, for each preset."""

VALUES = ["half", "?", "1", "2", "3", "5", "10", "15", "25", "50", "100", "0", "inf"]
"""GEN-04, 05: the faces of CHIMAX from low to high, with a question mark that stands for nothing."""

FREE = ("100", "50", "25", "15")
"""BOOKS-15: what a question mark may be declared as, from the highest on."""


def rank(card):
    """GEN-05: return the rank of a card of CHIMAX; `?v` is just below the real `v`."""
    return VALUES.index(card[1:]) - 0.5 if card[1:] in VALUES and card[0] == "?" else VALUES.index(card)


# --- what players have -------------------------------------------------------------------------------------------


def of_chi(position, options, seat):
    """CHI-31, 33: a stack counts 3 or 6 points for each Yang in it."""
    area = position["areas"][seat]
    points = sum(int(card[4]) for stack in area for card in stack)
    stacks = f"{len(area)}/{options['stacks_to_end']}"
    return {"in hand": len(position["hands"][seat]), "stack": stacks, "point": points}


def of_ninjas(position, _, seat):
    return {"in hand": len(position["hands"][seat]), "in play": f"{len(position['areas'][seat])}/6"}


def loaded(position, seat):
    """CHIP-61: return all points of a seat."""
    front = [card.partition("+")[2].partition("=")[0] for card in position["front"][seat]]
    return position["bank"][seat] + sum(map(int, filter(None, front)))


def of_chip_it(position, _, seat):
    cards = {"card": len(position["hands"][seat])}
    return cards | ({"points left": loaded(position, seat)} if position["over"] else {"point": position["bank"][seat]})


def of_books(position, _, seat):
    taps = position["taps"][seat]
    return {"Book": position["books"][seat], "total": position["scores"][seat]} | ({"Tap": taps} if taps else {})


def of_cut(position, _, seat):
    return {"point": position["wins"][seat]}


def of_fate(position, _, seat):
    return {"point": position["points"][seat], "card": len(position["taken"][seat])}


def of_match(alike, name, position, _, seat):
    held = len(position["taken"][seat]) // alike
    alone = {"turn": position["turns"]} if position["players"] == 1 else {"point": position["points"][seat]}
    return {name: held} | alone


def of_order(position, options, seat):
    misses = {"miss": position["misses"][seat]}
    if options["board"] == "shared":
        return misses | {"placed": len(position["placed"][seat])}
    done = len(position["placed"][seat]) if options["board"] == "own" else position["at"][seat]
    return misses | {"in order": f"{done}/13"}


def of_jackpot(position, options, _):
    found = {"Book": len(position["books"]), "point": position["points"]}
    if options["deals"] > 1:
        found["in all"] = position["total"] + position["points"] * (position["phase"] not in ("deal", "over"))
    return found | ({"streak": position["streak"]} if options["streak"] else {})


def of_war(position, options, seat):
    account = position["seats"][seat]
    army, camp = len(account["army"]), len(account["camp"])
    kit = {"kit": len(account["hand"]) + len(account["hidden"])} if options["equipment"] else {}
    return kit | {"army": army, "camp": camp, "deck": army + camp}


HAS = {
    "chi": of_chi,
    "chaos-ninjas": of_ninjas,
    "chip-it": of_chip_it,
    "chimax-books": of_books,
    "chimax-cut": of_cut,
    "chimax-fate": of_fate,
    "chimax-match-2": functools.partial(of_match, 2, "pair"),
    "chimax-match-3": functools.partial(of_match, 3, "triplet"),
    "chimax-order": of_order,
    "chimax-jackpot": of_jackpot,
    "war-xtreme": of_war,
}
"""For each game, the function that counts what a player has, by the singular of a counter's label."""

UNCOUNTED = {"wants"}
"""Counters that hold no number."""


def check_counters(state, scene, position, where):
    has = [HAS[state.game.name](position, vars_of(state), seat) for seat in range(state.players)]
    for seat in scene.seats:
        shown = {singular(one.label): str(one.value) for one in seat.counters if one.label not in UNCOUNTED}
        there = {label: str(value) for label, value in has[seat.seat].items() if label in shown}
        assert shown == there, f"{where}: {seat.name} has {has[seat.seat]}"
        assert len(shown) == len({one.label for one in seat.counters} - UNCOUNTED), f"{where}: {seat.counters}"
        assert seat.acts == (seat.seat in state.to_act), f"{where}: {seat.name} acts: {seat.acts}"


def vars_of(state):
    return {name: getattr(state.table.options, name) for name in state.table.options.__struct_fields__}


# --- what is the lowest, the highest, the one that leads ---------------------------------------------------------


def cut_ranks(position):
    """CUT-06, 07: return the ranks of the kept cards, without one whose value is being asked for."""
    asked = position["turn"] if position["phase"] == "declare" else None
    kept = position["kept"] if position["phase"] in ("cut", "decide", "declare") else ()
    return {seat: rank(card) for seat, card in enumerate(kept) if card is not None and seat != asked}


def check_cut(scene, position, options, where):
    ranks, marked = cut_ranks(position), set()
    for zone in scene.zones:
        for card in zone.cards:
            if card.mark == "lowest":
                marked.add(int(zone.id.removeprefix("kept")))
    lowest = {seat for seat, own in ranks.items() if own == min(ranks.values())}
    assert marked == (lowest if len(ranks) > 1 else set()), f"{where}: lowest are {lowest} of {ranks}"
    line = scene.headline
    if line and line.tag != "Wanted":
        best = min(ranks.values()) if line.tag == "Lowest so far" else max(ranks.values())
        assert line.tag in ("Lowest so far", "Highest so far"), f"{where}: {line}"
        assert named(line.text, scene) == {seat for seat, own in ranks.items() if own == best}, f"{where}: {line}"
    for higher, total in re.findall(r"(\d+) of (\d+) cards? (?:is|are) higher", scene.prompt.sub):
        free = [value for value in FREE if value not in position["declared"]] if options["qmark"] == "declare" else []
        worth = {"?": f"?{free[0]}"} if free else {}
        shown, *deck = (rank(worth.get(card, card)) for card in (position["shown"], *position["deck"]))
        found = sum(own > shown for own in deck), len(deck)
        assert (int(higher), int(total)) == found, f"{where}: {scene.prompt.sub}"
    for left, total in re.findall(r"Infinity wins at once: (\d+) of (\d+)", scene.prompt.sub):
        assert [int(left), int(total)] == [position["deck"].count("inf"), len(position["deck"])], where


def check_chip_it(scene, position, _, where):
    """CHIP-22: the latest play is to be beaten."""
    top = position["top"]
    leads = {seat.seat for seat in scene.seats if seat.note == "leads"}
    assert leads <= ({top["owner"]} if top else set()), f"{where}: {leads} lead"
    assert scene.headline.big == (str(top["value"]) if top else "any"), f"{where}: {scene.headline}"
    if top:
        by = scene.headline.text
        assert by.startswith(f"{top['count']} card"), f"{where}: {by}"
        assert named(by, scene) == {top["owner"]}, f"{where}: {by}"
    for seat in scene.seats:
        assert (seat.note == "done") == (seat.seat in position["finished"]), f"{where}: {seat}"


def check_books(scene, position, options, where):
    """BOOKS-12: of equal cards, the one played first wins; BOOKS-19: a real value, if a ? was declared as it."""
    played = position.get("book") or []
    taken = any(card.mark == "won" for zone in scene.zones for card in zone.cards)
    if not played or taken or options["actual_card"] == "outranks_all":
        return
    wins = [card.id for zone in scene.zones for card in zone.cards if card.mark == "wins so far"]
    if not wins and scene.stage:
        wins = [spot.card for spot in scene.stage.spots if spot.wins]
    best = max(played, key=lambda one: rank(one["card"]))
    assert wins == [f"book.{best['seat']}"], f"{where}: {wins} of {played}"


def check_chi(scene, position, _, where):
    assert ("last turn" in scene.facts) == position["last_turn"], f"{where}: {scene.facts}"


def check_ninjas(scene, position, _, where):
    """NINJA-06: a player with six cards in play wins when their next turn begins."""
    six = {seat for seat, area in enumerate(position["areas"]) if len(area) >= 6}
    soon = {seat.seat for seat in scene.seats if seat.note == "wins next turn"}
    assert soon <= six, f"{where}: {soon} win next turn"
    if "has six cards" in scene.prompt.sub or "have six cards" in scene.prompt.sub:
        assert named(scene.prompt.sub.split(" ha")[0], scene) <= six, f"{where}: {scene.prompt.sub}"


def check_order(scene, position, _, where):
    """ORDER-12: the longest run, if cards are turned back after a miss."""
    for number in re.findall(r"longest run (\d+)", " ".join(scene.facts)):
        assert int(number) == position["best"]["run"], f"{where}: {scene.facts}"


COMPARED = {
    "chimax-order": check_order,
    "chi": check_chi,
    "chaos-ninjas": check_ninjas,
    "chip-it": check_chip_it,
    "chimax-books": check_books,
    "chimax-cut": check_cut,
}

RULES = {
    "The last card played wins.": "CHI-42, NINJA-12",
    "The highest card wins the Book.": "BOOKS-12",
    "The highest card wins it all.": "TOUR-07",
    "Do not be left with the lowest card": "CUT-06",
    "The highest card wins, the lowest loses a point": "CUT-06",
    "All recruits turn together; the highest takes the pot.": "WAR-30",
    "The first right answer takes the pot. A wrong one puts you out.": "WAR-20",
    "No equipment in the first round.": "WAR-80",
    "You must flip at least one card per spin.": "JACK-04",
    "The first one found sets the direction.": "ORDER-03",
    "Flip, or play equipment first?": "WAR-80",
}
"""Sentences that follow from the rules alone, with their clauses."""

RANKS = re.compile(r"\b(lowest|highest|most|biggest|best|first|fewest|least|smallest|longest)\b", re.IGNORECASE)

CHECKED = re.compile(
    r"^(Lowest|Highest) so far$|^lowest$|^longest run \d+$|"
    "the first to be rid of|^The last game went: first|biggest deck"
)
"""Texts with such a word that are compared with the position."""


def texts_of(scene):
    """Yield the texts of a scene, without those of the result."""
    yield from (scene.sub, *scene.facts, scene.prompt.text, scene.prompt.sub)
    yield from (text for choice in scene.choices for text in (choice.label, choice.note))
    yield from (text for zone in scene.zones for text in (zone.label, zone.say, *[card.mark for card in zone.cards]))
    yield from (text for seat in scene.seats for text in (seat.note, *[one.label for one in seat.counters]))
    if scene.headline:
        yield from (scene.headline.tag, scene.headline.text)


def check_ranks(scene, where):
    """Check that nothing is called the lowest, the first or the most that no check of this module has compared."""
    for text in texts_of(scene):
        rest = functools.reduce(lambda left, rule: left.replace(rule, ""), RULES, text)
        assert not RANKS.search(rest) or CHECKED.search(rest), f"{where}: nothing compares {text!r} with the game"


def named(text, scene):
    """Return the seats whose players a text names."""
    names = {seat.seat: "[Yy]ou" if seat.seat == scene.viewer else re.escape(NAMES[seat.seat]) for seat in scene.seats}
    return {seat for seat, name in names.items() if re.search(rf"\b{name}\b", text)}


def check_clauses(game, scene, where):
    """A game cites its own rules, or those that its box shares, and never those of another game."""
    clause = scene.prompt.clause
    own = [prefix for prefix in game.clause_prefix.split() if prefix not in OWNED or OWNED[prefix] == game.name]
    assert not clause or clause.partition("-")[0] in own, f"{where}: {scene.prompt} cites another game"
    assert not clause or clause in known_clauses(game.specification, game.clause_prefix), f"{where}: {clause}"


@functools.cache
def known_clauses(specification, prefix):
    return {one.id for one in clauses(specification, prefix)}


OWNED = {find_game(name).clause_prefix.split()[0]: name for name in game_names()}
"""The first prefix of a game's clauses is its own."""


# --- who has won ---------------------------------------------------------------------------------------------------


def ends_of(name, position, options):
    """Return the places of a finished game by its rules, and the seats that these rules place."""
    seats = range(len(position.get("hands") or position.get("seats") or range(position.get("players", 1))))
    if name == "chi":  # CHI-63
        scores = [of_chi(position, options, seat)["point"] + len(position["hands"][seat]) for seat in seats]
        return places_by(scores), seats
    if name == "chaos-ninjas":  # NINJA-06, 09
        areas, hands = position["areas"], position["hands"]
        keys = [(len(areas[seat]), len(hands[seat])) for seat in seats]
        six = [seat for seat in seats if seat == position["turn"] and len(areas[seat]) >= 6]
        won = six or [seat for seat in seats if keys[seat] == max(keys)]
        return tuple(1 if seat in won else 1 + len(won) for seat in seats), won
    if name == "chip-it":
        return ends_of_chip_it(position, options, seats)
    if name == "war-xtreme":
        return ends_of_war(position, seats)
    won = position["winner"]
    if name == "chimax-order":  # ORDER-10
        return tuple(1 if seat in won else 0 for seat in seats), won
    scores = next(position[field] for field in ("scores", "points", "wins") if field in position)
    return places_by([(seat in won, score) for seat, score in zip(seats, scores, strict=True)]), seats


def ends_of_chip_it(position, options, seats):
    """CHIP-64, 66, 72, 83: the first to finish wins; a match goes by its totals."""
    totals, done = position["match"]["totals"], position["finished"]
    if options["mode"] != "single":
        return places_by([-total if options["mode"] == "duel" else total for total in totals]), seats
    if not options["placement"]:
        return tuple(1 if seat in done else 2 for seat in seats), done
    order = [*done, *[seat for seat in seats if seat not in done]]
    return tuple(1 + order.index(seat) for seat in seats), seats


def ends_of_war(position, seats):
    """WAR-95."""
    won, caught = position["winners"], position["caught"]

    def standing(seat):
        account = position["seats"][seat]
        deck = len(account["army"]) + len(account["camp"])
        lives = account["alive"] and seat not in caught
        return seat in won, seat not in caught, lives, deck if lives else account["out_round"]

    return places_by([standing(seat) for seat in seats]), seats


def check_end(state, scene, position, where):
    """Check places, ties and names at the end."""
    result, options, name = scene.result, vars_of(state), state.game.name
    if not result.is_ranked:
        assert not result.ordinals, f"{where}: {result}"
        return
    places, ranked = ends_of(name, position, options)
    first = {seat for seat, place in enumerate(places) if place == 1}
    assert {seat for seat, place in enumerate(result.places) if place == 1} == first, f"{where}: {result}, not {places}"
    for seat in range(state.players):
        wanted = f"{places[seat]}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(places[seat], 'th') }" if seat in ranked else ""
        assert result.ordinals[seat] == wanted, f"{where}: {result}, not {places} of {list(ranked)}"
        assert seat not in ranked or result.places[seat] == places[seat], f"{where}: {result}, not {places}"
    assert named(result.text, scene) in (first, set()), f"{where}: {result.text}"
    assert named(result.text, scene) or len(first) == state.players, f"{where}: {result.text}"
    assert scene.prompt.text == result.text, f"{where}: {scene.prompt}"
    check_why(result.why, scene, position, where)
    for seat, shown in enumerate(result.shown if name == "chip-it" and options["mode"] == "single" else ()):
        cards, points = len(position["hands"][seat]), loaded(position, seat)
        counted = f"{cards} card{'s' * (cards != 1)}, {points} point{'s' * (points != 1)}"
        assert shown == (counted if cards or points else "nothing left"), f"{where}: {shown}, not {counted}"


def check_why(why, scene, position, where):
    """Check the order and the numbers in the reason of a result."""
    told = {"You": scene.viewer, "you": scene.viewer} | {name: seat for seat, name in enumerate(NAMES)}
    if re.search("(was|were) the first to be rid of|The last game went", why):
        done, seats = position["finished"], [told[name] for name in re.findall("|".join(told), why)]
        assert seats[: len(done)] == done, f"{where}: {why}"
        assert len(seats) in (len(done), len(scene.seats)), f"{where}: {why}"
    for name, points, cards in re.findall(r"(\w+) with (\d+) on the table and (\d+) in hand", why):
        seat = told[name]
        on_table = sum(int(card[4]) for stack in position["areas"][seat] for card in stack)
        assert (int(points), int(cards)) == (on_table, len(position["hands"][seat])), f"{where}: {why}"
    for number in re.findall(r"the biggest deck counts: (\d+) cards", why):
        decks = [len(one["army"]) + len(one["camp"]) for one in position["seats"] if one["alive"]]
        assert int(number) == max(decks), f"{where}: {why}"
        level = decks.count(max(decks)) > len(position["winners"])
        assert level == ("the wars won" in why), f"{where}: {why}, though the decks are {decks}"


# --- games ---------------------------------------------------------------------------------------------------------


def look_at(state, viewer, met, where):
    """Compare the counters, marks, ranks, clauses and result of a scene with the position."""
    seen = state.seen_by(viewer, NAMES[: state.players])
    scene, position = seen.scene(), state.position()
    check_counters(state, scene, position, where)
    COMPARED.get(state.game.name, lambda *_: None)(scene, position, vars_of(state), where)
    drafts = unfinished(state, scene, viewer) if met["scenes"] % 8 == 0 else ()
    for one in (scene, *drafts):
        check_ranks(one, where)
        check_clauses(state.game, one, where)
    met["scenes"] += 1
    if state.over:
        check_end(state, scene, position, where)
        met["ends"] += 1


GAMES = 3
"""Games at each table."""


def tables_of(name):
    game = find_game(name)
    for preset in game.presets:
        yield preset, fairdeal.load(name, preset=preset)
    short = {option: value for option, value in SHORT.get(name, {}).items() if option != "players"}
    for players in range(game.players[0], game.players[1] + 1):
        yield f"{players} players", fairdeal.load(name, players=players, **short)


def test_what_a_scene_says_is_so(name):
    """Every title and preset, at every number of players, from the deal to the end."""
    for preset, table in tables_of(name):
        dice, met = random.Random(f"{name} {preset}"), Counter()
        state, moves = table.deal(f"{name} {preset}"), 0
        while met["games"] < GAMES:
            if met["scenes"] < LOOKS or dice.random() < 0.05:
                viewer = dice.choice([SPECTATOR, *state.to_act])
                look_at(state, viewer, met, f"{name} {preset}, move {moves}, for {viewer}")
            play_at_random(state, dice)
            moves += 1
            if state.over:
                for viewer in viewers(state):
                    look_at(state, viewer, met, f"{name} {preset}, the end, for {viewer}")
                met["games"] += 1
                state, moves = table.deal(dice.random().hex()), 0
        assert met["ends"] == GAMES * (state.players + 1)
