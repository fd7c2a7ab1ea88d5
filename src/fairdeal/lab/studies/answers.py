"""The answers of a study in sentences, starting with the answer to its main question."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from fairdeal.bots.registry import name_of
from fairdeal.engine.scene import listed
from fairdeal.lab.estimates import FEWEST_GAMES, Estimate
from fairdeal.lab.studies.cards import Card
from fairdeal.lab.studies.comparing import LEVEL, Difference
from fairdeal.lab.studies.findings import Found
from fairdeal.lab.studies.measures import STATISTICS, Chance
from fairdeal.lab.studies.recipe import Study
from fairdeal.lab.studies.targets import Verdict, state_of
from fairdeal.lab.studies.unused import Unused
from fairdeal.lab.studies.wording import NARROW, between, formatted, whole

MOST_NAMED = 3
"""Maximum number of tables that a sentence names for each answer."""

LEADS = {
    "first": ("The first player wins {} ({}) of {:,} games", "points more", "points less"),
    "shared": ("First place is shared in {} ({}) of {:,} games", "points more", "points less"),
    "score": ("A player scores {} points ({}) in {:,} games", "points more", "points less"),
    "margin": ("The winner is ahead by {} points ({}) in {:,} games", "points more", "points less"),
    "moves": ("A game takes {} moves ({}) in {:,} games", "moves more", "moves fewer"),
    "minutes": ("A game takes {} ({}) in {:,} games", "more", "less"),
    "decisions": ("A game has {} decisions ({}) in {:,} games", "decisions more", "decisions fewer"),
    "choices": ("A decision has {} choices ({}) in {:,} games", "choices more", "choices fewer"),
    "leads": ("The lead changes {} times ({}) in {:,} games", "times more", "times fewer"),
    "turns": ("The favourite changes {} times ({}) in {:,} games", "times more", "times fewer"),
    "decided": ("A game is decided after {} ({}) of its moves in {:,} games", "points later", "points earlier"),
}
"""Sentences about a table, by the main measure, and words for the difference of another table."""

FEWEST_TIMED = 30
"""Minimum number of watched games for a sentence that gives the length of a game in minutes."""

MOST_TIMED = 6
"""Maximum number of tables of which a sentence gives each length. Of more, it gives the shortest and the longest."""


def answer_of(
    study: Study,
    main: str,
    setups: Sequence[Found],
    differences: Sequence[Difference],
    tests: int,
    unused: Sequence[Unused],
    judged: Sequence[Verdict] = (),
) -> str:
    """Return the answer to the main question of a study, in one sentence. The sentence is about the first table, and
    the others follow, grouped by their answers. If different bots play each other, the bots are compared, unless the
    study names its main measure. Nothing is said that does not hold for all `tests` together."""
    first, names = setups[0], names_of(setups)
    if judged and not study.main:
        return sentence_of([*met(judged, names)])
    idle = [one for one in unused if one.same]
    same = [one.name for one in setups if one.same_as == first.name and one.name not in {one.setup for one in idle}]
    without = {*same, *(one.setup for one in idle)}
    others = [one for one in setups[1:] if one.name not in without]
    if first.by_bot and not study.main and not study.until_clear:
        parts = shown(against(one, names, tests) for one in (first, *others) if one.by_bot)
    elif others and not study.main and not study.until_clear and main != "score" and differ(setups):
        beginning, short = short_names([first, *others])
        parts = [beginning + lengths([first, *others], differences, short), *by_verdict([first, *others], short, tests)]
    elif main == "first" and first.measure("first"):
        compares = any(one.stopped for one in others)
        if compares:
            rest = changes(main, others, differences, names)
        else:
            rest = verdicts(first, others, differences, names, tests)
        parts = [first_player(first, names, tests, not compares), *rest]
    else:
        key = main if first.measure(main) else "moves"
        parts = [measured(first, key, names), *changes(key, others, differences, names)]
    if idle:
        reason = ", because no bot used it" if all(one.offered for one in idle) else ""
        parts.append(f"{tables(names[one.setup] for one in idle)} changed no game{reason}")
    if same:
        parts.append(f"{tables(names[one] for one in same)} played exactly the same games")
    return sentence_of(parts)


def sentence_of(parts: Sequence[str]) -> str:
    sentence = "; ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."


# --- names ------------------------------------------------------------------------------------------------------


def names_of(setups: Sequence[Found]) -> dict[str, str]:
    """Return the names of the tables in sentences: their bots if the tables differ only in these, or else their own
    names. A single table has no name."""
    if len(setups) == 1:
        return {setups[0].name: ""}
    bots = [listed([*bot_names(one).values()]) for one in setups]
    by_bots = len(set(bots)) == len(bots) and all(one.options == setups[0].options for one in setups)
    return {one.name: own if by_bots else f"“{one.name}”" for one, own in zip(setups, bots, strict=True)}


def bot_names(one: Found) -> dict[str, str]:
    """Return the names of a table's bots. Bots with the same name are distinguished by their settings."""
    names = {bot: name_of(bot) for bot in one.bots}
    twice = [*names.values()]
    return {
        bot: f"{name} ({bot.partition(':')[2] or 'as usual'})" if twice.count(name) > 1 else name
        for bot, name in names.items()
    }


def place_of(one: Found, names: Mapping[str, str]) -> str:
    """Return the words ` with “name”`, or nothing if sentences already name the bots of the table."""
    return f" with {names[one.name]}" if names[one.name].startswith("“") else ""


def tables(names: Iterable[str]) -> str:
    """Return the names of tables as `A, B and C`, or the first three with the number of the others."""
    return listed(shown(names))


def shown(words: Iterable[str], rest: str = "other tables") -> list[str]:
    """Return the words for each table, or the words for the first three tables and the number of the others."""
    every = [*words]
    more = len(every) - MOST_NAMED
    return [*every[:MOST_NAMED], f"{more} {rest}"] if more > 1 else every


# --- first players ----------------------------------------------------------------------------------------------


def side_of(chance: Chance) -> int:
    """Return 1 if a share of wins is above the fair share, -1 if it is below, and 0 if this is not clear."""
    return ((chance.wins.value > chance.fair) - (chance.wins.value < chance.fair)) * chance.clear


def favoured(one: Found) -> str:
    """Return the players favoured by the order of play at a table, in words, as far as it is clear for all tests of the
    study together."""
    sides = [side_of(chance) for chance in one.order]
    if len(sides) == 2:
        return ("neither is", "the first player is", "the second player is")[sides[0]]
    ahead = [chance.name.removesuffix(" player") for chance, side in zip(one.order, sides, strict=True) if side > 0]
    if ahead:
        return f"the {listed(ahead)} player{'s are' if len(ahead) > 1 else ' is'}"
    if sides[0] < 0:
        return "the others are"
    return "neither the first player nor the others are" if one.stopped else "no player is"


def estimate_of(one: Found, key: str) -> tuple[Estimate, int]:
    """Return the estimate of a measure of a single table, valid for the moment at which its games stopped, and the
    number of games in which the measure is known."""
    measure = one.measure(key)
    assert measure is not None, "only measures of the table are asked for"
    return (one.stopped.estimate, one.games) if one.stopped else (measure.estimate, measure.games)


def reach(games: int, tested: Iterable[Chance | Card], tests: int) -> str:
    """Return how far a verdict reaches, if more games could change it: if nothing that was tested is clear. The number
    of all tests is named if something would be clear without the others."""
    every = [(one.p, one.corrected) for one in tested]
    if any(corrected is not None and corrected < LEVEL for _, corrected in every):
        return ""
    among = f" among {tests:,} tests" if any(p is not None and p < LEVEL for p, _ in every) else ""
    return f", as far as {games:,} games can tell{among}"


def reach_of(alike: Sequence[Found], tests: int) -> str:
    """Return how far the same verdict on the order of play at several tables reaches."""
    games = {one.games for one in alike}
    return reach(games.pop(), [chance for one in alike for chance in one.order], tests) if len(games) == 1 else ""


def verdict_on(one: Found) -> str:
    """Return the players favoured by the order of play at a table, or "" if there are too few games for a verdict."""
    return favoured(one) if one.games >= FEWEST_GAMES else ""


def grouped(setups: Iterable[Found]) -> dict[str, list[Found]]:
    """Group the tables for which the wins of the first player are known by who is favoured by the order of play."""
    groups: dict[str, list[Found]] = {}
    for one in setups:
        if one.measure("first"):
            groups.setdefault(verdict_on(one), []).append(one)
    return groups


def first_player(one: Found, names: Mapping[str, str], tests: int, judges: bool = True) -> str:
    """Return the first player's share of wins and, if `judges` is true, the players favoured by the order of play."""
    bots, (estimate, _), fair = bot_names(one), estimate_of(one, "first"), 1 / len(one.bots)
    whose = f"{possessive(*bots.values())} first player" if len(bots) == 1 else ""
    whose = whose or f"Between {listed([*bots.values()])}, the first player"
    value = f"{formatted(estimate.value, 'share')} ({between(estimate, 'share')})"
    expected = f", where {whole(fair)} would be fair" if len(one.bots) > 2 else ""
    told_so = f"{whose} wins {value} of {one.games:,} games{place_of(one, names)}{expected}"
    if not judges:
        return told_so
    verdict = verdict_on(one)
    if not verdict:
        return f"{told_so}, too few to say who is favoured"
    return f"{told_so}: {verdict} favoured{reach_of([one], tests)}"


def possessive(name: str) -> str:
    return f"{name}’" if name.endswith("s") else f"{name}’s"


def verdicts(
    first: Found, others: Sequence[Found], differences: Sequence[Difference], names: Mapping[str, str], tests: int
) -> Iterator[str]:
    """Yield the players favoured by the order of play at the other tables, grouped. If the first player's share of wins
    differs significantly from that at the first table, the difference is added."""
    clear = {one.setup: one for one in differences if one.measure == "first" and one.clear}
    of_first = verdict_on(first)
    for verdict, alike in grouped(others).items():
        named = []
        for one in alike:
            change = clear.get(one.name)
            named.append(names[one.name] + (f" ({beyond_first(change)})" if change else ""))
        if verdict == of_first:
            yield f"the same holds with {tables(named)}"
            continue
        doubt = reach_of(alike, tests) if verdict else ""
        yield f"with {tables(named)} {verdict or 'there are too few games'}{doubt}"


def beyond_first(change: Difference) -> str:
    """Return a clear difference of the first player's wins. It names the player, because the verdict next to it may be
    about another one."""
    amount = formatted(abs(change.estimate.value), "share", points=True)
    return f"the first player wins clearly {'more' if change.estimate.value > 0 else 'less'}, by {amount}"


# --- tables with different options ------------------------------------------------------------------------------


def differ(setups: Sequence[Found]) -> bool:
    """Return whether tables differ in more than their bots."""
    return any(one.options != setups[0].options for one in setups)


def short_names(setups: Sequence[Found]) -> tuple[str, dict[str, str]]:
    """Return the common beginning of the names of tables, such as `Target: `, and the rest of each name. Without a
    common beginning, the names are quoted."""
    beginnings = {one.name.rpartition(": ")[0] for one in setups}
    if len(beginnings) > 1 or "" in beginnings:
        return "", {one.name: f"“{one.name}”" for one in setups}
    beginning = f"{beginnings.pop()}: "
    return beginning, {one.name: one.name.removeprefix(beginning) for one in setups}


def lengths(setups: Sequence[Found], differences: Sequence[Difference], names: Mapping[str, str]) -> str:
    """Return the length of a game at each table: in minutes if enough games were watched, and otherwise in moves."""
    timed = all((minutes := one.measure("minutes")) and minutes.games >= FEWEST_TIMED for one in setups)
    key = "minutes" if timed else "moves"
    found = [(one, measure) for one in setups if (measure := one.measure(key))]
    unit = "" if timed else " moves"
    values = [f"{formatted(measure.estimate.value, STATISTICS[key].kind)}{unit}" for _, measure in found]
    if len(found) > MOST_TIMED:
        ends = sorted(range(len(found)), key=lambda number: found[number][1].estimate.value)
        low, high = (f"{values[end]} with {names[found[end][0].name]}" for end in (ends[0], ends[-1]))
        return f"a game takes from {low} to {high}"
    if len(found) <= MOST_NAMED:
        ranges = (between(measure.estimate, STATISTICS[key].kind) for _, measure in found)
        values = [f"{value} ({ends})" for value, ends in zip(values, ranges, strict=True)]
    each = [f"{value} with {names[one.name]}" for value, (one, _) in zip(values, found, strict=True)]
    clear = {one.setup for one in differences if one.measure == key and one.clear}
    same = [names[one.name] for one, _ in found[1:] if one.name not in clear]
    doubt = f" (no clear difference between {listed([names[found[0][0].name], *same])})" if same else ""
    return f"a game takes {listed(each)}{doubt}"


def by_verdict(setups: Sequence[Found], names: Mapping[str, str], tests: int) -> Iterator[str]:
    """Yield the players favoured by the order of play, each with the tables at which they are."""
    groups = grouped(setups)
    for number, (verdict, alike) in enumerate(groups.items()):
        doubt, named = reach_of(alike, tests) if verdict else "", tables(names[one.name] for one in alike)
        if not verdict:
            yield f"too few games to say who is {'favoured' if len(groups) == 1 else f'with {named}'}"
        elif len(groups) == 1:
            yield f"{verdict} favoured at any of these tables{doubt}"
        else:
            yield f"with {named} {verdict}{'' if number else ' favoured'}{doubt}"


# --- bots and other measures ------------------------------------------------------------------------------------


def against(one: Found, names: Mapping[str, str], tests: int) -> str:
    """Return the share of wins of a table's first bot against its other bots."""
    bots, chance = bot_names(one), one.by_bot[0]
    estimate, fair = chance.wins, whole(chance.fair)
    own, *others = bots.values()
    each = "each " if one.bots.count(one.bots[0]) > 1 else ""
    verdict = (
        f"no more and no less than a fair {fair}{reach(one.games, [chance], tests)}",
        f"more than a fair {fair}",
        f"less than a fair {fair}",
    )[side_of(chance)]
    if one.games < FEWEST_GAMES:
        verdict = f"too few games to compare with a fair {fair}"
    value = f"{formatted(estimate.value, 'share')} ({between(estimate, 'share')})"
    rivals = f"{one.games:,} games against {listed(others)}{place_of(one, names)}"
    return f"{each}{own} wins {value} of {rivals}: {verdict}"


def measured(one: Found, key: str, names: Mapping[str, str]) -> str:
    """Return the value of the main measure of a table."""
    (estimate, games), kind = estimate_of(one, key), STATISTICS[key].kind
    words = LEADS[key][0].format(formatted(estimate.value, kind), between(estimate, kind), games)
    named = names[one.name]
    return words + (f" with {named}" if named else f", played by {listed([*bot_names(one).values()])}")


def changes(
    key: str, others: Sequence[Found], differences: Sequence[Difference], names: Mapping[str, str]
) -> Iterator[str]:
    """Yield the significant differences of the other tables from the first one, and the names of the tables without
    any."""
    _, more, less = LEADS[key]
    kind, same, changed = STATISTICS[key].kind, [], []
    for one in others:
        found = next((each for each in differences if each.setup == one.name and each.measure == key), None)
        if found is None:
            continue
        estimate = one.stopped.estimate if one.stopped else found.estimate
        if not found.clear:
            same.append(names[one.name])
            continue
        ends = sorted((abs(estimate.low), abs(estimate.high)))
        size = Estimate(abs(estimate.value), *ends)
        amount = formatted(size.value, kind, points=True).removesuffix(" points")
        words = more if estimate.value > 0 else less
        changed.append(f"with {names[one.name]} {amount} {words} ({between(size, kind)})")
    yield from shown(changed, "other tables differ clearly")
    if same:
        yield f"no clear difference with {tables(same)}"


# --- targets ----------------------------------------------------------------------------------------------------


def target_words(one: Verdict) -> str:
    """Return a target in words, such as `48 to 52 %` or `at most 2 %`."""
    share = STATISTICS[one.measure].kind == "share"
    least, most = (f"{100 * end:.4g}" if share else f"{end:,.4g}" for end in (one.least, one.most))
    unit = f"{NARROW}%" if share else f"{NARROW}min" if STATISTICS[one.measure].kind == "minutes" else ""
    if one.least <= 0:
        return f"at most {most}{unit}"
    return f"at least {least}{unit}" if share and one.most >= 1 else f"{least} to {most}{unit}"


def beyond_words(one: Verdict) -> str:
    """Return the distance of a table from a target, such as `4.1 points too high`."""
    return f"{formatted(abs(one.by), STATISTICS[one.measure].kind, points=True)} too {'high' if one.by > 0 else 'low'}"


def met(judged: Sequence[Verdict], names: Mapping[str, str]) -> Iterator[str]:
    """Yield sentences about the tables that meet the targets, that miss them and by how much, and that may do either as
    far as their games can tell."""
    groups: dict[str, list[str]] = {"meets": [], "misses": [], "open": []}
    for setup, name in names.items():
        own = [one for one in judged if one.setup == setup]
        if own:
            state = state_of(own)
            why = "; ".join(value_words(one) for one in own if one.state == state)
            groups[state].append(name if state == "meets" else f"{name or 'the game'} ({why})")
    if groups["meets"]:
        yield f"{tables(groups['meets']) or 'the game'} {'meet' if len(groups['meets']) > 1 else 'meets'} all targets"
    if groups["misses"]:
        yield f"{tables(groups['misses'])} {'miss' if len(groups['misses']) > 1 else 'misses'} the targets"
    if groups["open"]:
        yield f"not proven: {tables(groups['open'])}"


def value_words(one: Verdict) -> str:
    """Return the value of a measure that does not meet its target, and by how much it misses it if this is proven."""
    title, kind = STATISTICS[one.measure].title, STATISTICS[one.measure].kind
    by = f", {beyond_words(one)}" if one.state == "misses" else ""
    return f"{title[0].lower()}{title[1:]} {formatted(one.estimate.value, kind)}{by}"


# --- cards ------------------------------------------------------------------------------------------------------


def told_cards(cards: Sequence[Card], tests: int) -> str:
    """Return a sentence about the cards of a table that are too strong or too weak, or nothing if none is tested."""
    if all(card.p is None for card in cards):
        return ""
    fair = whole(cards[0].fair)
    strong = [f"“{card.words}” ({formatted(card.wins.value, 'share')})" for card in cards if card.side > 0]
    weak = [f"“{card.words}” ({formatted(card.wins.value, 'share')})" for card in reversed(cards) if card.side < 0]
    if not strong and not weak:
        doubt = reach(cards[0].games, cards, tests)
        return f"None of {len(cards)} cards wins more or less than a fair {fair} when it is dealt{doubt}."
    parts = [
        f"{listed(shown(named, 'other cards'))} {'win' if len(named) > 1 else 'wins'} {words} than a fair {fair}"
        for named, words in ((strong, "more"), (weak, "less"))
        if named
    ]
    return f"When they are dealt, {'; '.join(parts)}."


# --- games that tables share -------------------------------------------------------------------------------------


def sharing(setups: Sequence[Found]) -> str:
    """Return a sentence about the random numbers that the games of several tables share."""
    first, *others = setups
    own = [f"“{one.name}”" for one in others if str(one.seed) != str(first.seed)]
    if not own:
        return "Games with the same number share their random numbers."
    few = listed(shown(own, "more"))
    seeds, share = ("another seed", "shares") if len(own) == 1 else ("other seeds", "share")
    return f"{few} {'has' if len(own) == 1 else 'have'} {seeds} and {share} no games with “{first.name}”."


def same_words(one: Found) -> str:
    """Return a sentence about a table with exactly the same games as an earlier one."""
    return f"The games of “{one.name}” are exactly those of “{one.same_as}”, so these tables are not compared."


# --- options that did not matter --------------------------------------------------------------------------------


def idle_words(one: Unused, first: str) -> str:
    """Return a sentence about options that made no difference, given the name of the first table."""
    options = " and ".join(f"`{name}`" for name in one.options)
    several = len(one.options) > 1
    head, it = (f"The options {options}", "them") if several else (f"The option {options}", "it")
    watched, random = f"{one.games:,} watched games", f"{one.random_games} of random moves"
    if one.offered:
        tail = f"no bot used {it} in {watched}"
        tail += ", but random moves did" if one.at_random else f", nor did random moves in {one.random_games}"
    else:
        tail = f"{'they' if several else 'it'} did not matter in {watched}"
        tail += ", but did with random moves" if one.at_random else f", nor in {random}"
    if not one.random_games:
        tail = tail.rpartition(",")[0]
    effect = "changed no game" if one.same else "had no direct effect"
    after = "" if one.same else f" Differences from “{first}” are luck, or come from looking ahead."
    return f"{head} of “{one.setup}” {effect}: {tail}.{after}"
