"""The report of a study: a self-contained HTML page to read, print and share."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files

from markupsafe import Markup

from fairdeal.bots.registry import name_of
from fairdeal.engine.files import read_text
from fairdeal.engine.game import Game
from fairdeal.engine.registry import find_game
from fairdeal.engine.scene import listed
from fairdeal.lab.estimates import FEWEST_GAMES, Estimate
from fairdeal.lab.studies.answers import (
    beyond_words,
    bot_names,
    first_player,
    idle_words,
    same_words,
    sharing,
    short_names,
    target_words,
    told_cards,
)
from fairdeal.lab.studies.charts import Bars, Curve, Point, curves, histograms, intervals, stacks
from fairdeal.lab.studies.comparing import LEVEL
from fairdeal.lab.studies.findings import Findings, Found
from fairdeal.lab.studies.luck import SHARES
from fairdeal.lab.studies.measures import STATISTICS, SURE, Chance, Measure, Often
from fairdeal.lab.studies.targets import Verdict, state_of
from fairdeal.lab.studies.wording import NARROW, between, cell, formatted, signed, told_p, whole
from fairdeal.table.analysis.html import folded, joined, quiet, rows, section, whole_page

STYLES = ("fairdeal.lab:study.css",)

MOST_LINES = 8
"""Maximum number of lines or panels in a chart. The tables contain all values."""

MOST_CARDS, MOST_COLUMNS, MOST_EVENTS = 16, 7, 5
"""Maximum number of cards in a chart, of columns of a table, and of events of each kind in a comparison."""

FEWEST_BARS = 3
"""Minimum number of bars of a histogram."""

LONG_TABLE, SHORT_TABLE = 8, 3
"""Maximum number of rows of a table that are shown unfolded, if it stands alone or below a chart. Folded rows are not
printed."""

WAYS = (
    (
        "by_bot",
        "By bot",
        "First places of each bot, in all seats equally often. Dashed: the fair share; bold: clearly different.",
    ),
    (
        "order",
        "By seat",
        "Share of first places; shared ones are split. Dashed: the fair share; bold: clearly different.",
    ),
)
"""Groups of players in the section on wins: the fields of the findings, with their titles and captions."""

LOWEST, MIDDLE, HIGHEST = range(3)
"""Places in the examples of a measure."""

PICKS = (
    ("The longest", "moves", HIGHEST),
    ("A game of middle length", "moves", MIDDLE),
    ("The shortest", "moves", LOWEST),
    ("The closest", "margin", LOWEST),
    ("The most one-sided", "margin", HIGHEST),
    ("The most points", "score", HIGHEST),
    ("The fewest points", "score", LOWEST),
    ("The most lead changes", "leads", HIGHEST),
    ("The latest to be decided", "decided", HIGHEST),
    ("The earliest to be decided", "decided", LOWEST),
)
"""Games to look at: words, the measure, and the place in its examples."""

UNITS = {"margin": "points", "score": "points", "moves": "moves", "leads": "changes", "turns": "changes"}
"""Words after the value of a measure of one game."""

NAMES = {
    "verb": ("Moves", "By the verb of the move."),
    "card": ("Cards in moves", "Cards that are played, discarded or laid."),
    "phase": ("Phases", "The phase of each decision."),
    "clause": ("Clauses that act", "Rules that acted by themselves, as the player saw them."),
    "ending": ("How games end", "The clauses of the last move."),
}

NOTES = (
    "{seeds}; {versions}. The same command gives the same numbers, on any number of threads.",
    "Intervals are of 95 %: the exact one for shares, Student’s for means, the jackknife over deals for luck and "
    "skill, which are estimated without bias, so that a share of 0 may come out slightly below 0. Tables "
    "are compared game by game, and first players by their distance from a fair share. P-values are two-sided: shares "
    f"are tested exactly, means by Student’s t, and nothing with fewer than {FEWEST_GAMES} games. All {{tests}} tests "
    "of the report are corrected together by Holm’s method, with half of the weight on the main question, and the "
    "words follow. A study that ends when its answer is clear tests its main measure only, by an asymptotic confidence "
    "sequence (Waudby-Smith and others, 2024), which allows any number of looks.",
    "A chance is the share of first places in {playouts} games that are continued by the game’s greedy rule, in deals "
    "that fit what a spectator knows. Minutes come from a model of people: two seconds for each decision, 1.5 more for "
    "every doubling of the choices, a second to watch each move, half a minute to lay out the cards. Players who did "
    "something and won did not necessarily win because of it.",
)


def report_of(found: Findings) -> Markup:
    """Return the complete page. Raises FairdealError if matplotlib is missing."""
    game = find_game(found.study.game)
    found = shortened(found)
    parts = (
        header(game, found),
        *([section("Targets", on_targets(found))] if found.verdicts else []),
        *some("Who wins", [*who_wins(found)]),
        section("In short", in_short(found)),
        *([section("Side by side", beside(found))] if found.several else []),
        section("Length and decisions", figures(statistics_on(found, "length", "Decisions"))),
        *some("When a game is decided", [*how_decided(found)]),
        *some("Luck and skill", [*luck_and_skill(found)]),
        *some("Cards", [*cards_told(found)]),
        section("What happens", figures(what_happens(found))),
        section("Games to look at", games_to_see(found)),
        section("How to reproduce this report", how_made(found)),
    )
    return whole_page(f"{title_of(game, found)}: a study", STYLES, parts)


def shortened(found: Findings) -> Findings:
    """Return the results with shortened names of tables, without a common beginning such as `Stacks to end the game:
    `."""
    beginning, names = short_names(found.setups)
    if not (found.several and beginning):
        return found
    own = {
        kind: tuple(one.replaced(setup=names[one.setup]) for one in getattr(found, kind))
        for kind in ("differences", "unused", "verdicts")
    }
    setups = tuple(one.replaced(name=names[one.name], same_as=names.get(one.same_as, "")) for one in found.setups)
    return found.replaced(setups=setups, **own)


def some(title: str, drawn: Sequence[Markup]) -> list[Markup]:
    """Return a section with a title, or nothing if it is empty."""
    return [section(title, figures(drawn))] if drawn else []


# --- the top ----------------------------------------------------------------------------------------------------


def title_of(game: Game, found: Findings) -> str:
    return found.study.title or game.title


def header(game: Game, found: Findings) -> Markup:
    """Return the cover, the title, the question and its answer, and the number of games."""
    bots = listed([*dict.fromkeys(name_of(bot) for one in found.setups for bot in one.bots)])
    games = sum(one.games for one in found.setups)
    tables = f"{len(found.setups)} tables, " if found.several else ""
    asked = Markup("<p>{}</p>").format(found.study.question) if found.study.question else Markup()
    answer = Markup("<p class='answer'>{}</p>").format(found.answer)
    played = quiet(f"{tables}{games:,} games, played by {bots}.")
    return Markup("<header>{}<div><p class='over'>{} · a study</p><h1>{}</h1></div><div>{}</div></header>").format(
        cover(game), game.title, title_of(game, found), asked + answer + played
    )


def cover(game: Game) -> Markup:
    """Return the cover of the box, or nothing if the game has none."""
    for package in (game.look, game.look.rpartition(".")[0]):
        path = files(package) / "look" / "cover.svg" if package else None
        if path is not None and path.is_file():
            drawing = Markup(read_text(path))  # noqa: S704 - a file of the game's package
            return Markup("<div class='cover'>{}</div>").format(drawing)
    return Markup()


def in_short(found: Findings) -> Markup:
    """Return the answers in sentences, and the main figures of one table."""
    sentences = [*(of_many(found) if found.several else of_one(found))]
    told = joined(Markup("<li>{}</li>").format(sentence) for sentence in sentences)
    numbers = Markup() if found.several else facts(found.setups[0])
    return numbers + Markup("<ul class='short'>{}</ul>").format(told)


def facts(one: Found) -> Markup:
    """Return the measures in large figures."""
    cells = (
        Markup("<div><dt>{}</dt><dd><b>{}</b>{}</dd></div>").format(
            measure.title, large(measure), between(measure.estimate, measure.kind)
        )
        for measure in one.measures
        if STATISTICS[measure.key].large
    )
    return Markup("<dl class='facts'>{}</dl>").format(joined(cells))


def large(measure: Measure) -> str:
    """Return the value of a measure, with a smaller unit."""
    value, _, unit = formatted(measure.estimate.value, measure.kind).partition(NARROW)
    return Markup("{}<small> {}</small>").format(value, unit) if unit else value


def of_one(found: Findings) -> Iterator[str]:
    """Yield sentences about a table's games, in addition to the answer."""
    (one,) = found.setups
    moves, minutes, decisions, choices, leads, decided = (
        one.measure(key) for key in ("moves", "minutes", "decisions", "choices", "leads", "decided")
    )
    if one.measure("first") and (first := first_player(one, {one.name: ""}, found.tests)) not in found.answer:
        yield f"{first}."
    if moves and minutes and moves.low == moves.high:
        yield (
            f"Every game takes {formatted(moves.high, 'number')} moves, and half of all games take about "
            f"{formatted(minutes.median, 'minutes')} of people’s time or less."
        )
    elif moves and minutes:
        yield (
            f"Half of all games take {formatted(moves.median, 'number')} moves or fewer, and about "
            f"{formatted(minutes.median, 'minutes')} of people’s time; nine of ten take "
            f"{formatted(moves.low_5, 'number')} to {formatted(moves.high_5, 'number')} moves."
        )
    if decisions and choices:
        yield (
            f"A game has {formatted(decisions.estimate.value, 'number')} decisions by all players, with "
            f"{formatted(choices.estimate.value, 'number')} choices on average."
        )
    if leads:
        yield f"The lead changes hands {formatted(leads.estimate.value, 'number')} times."
    if decided:
        yield (
            f"In half of all games the winner is clear, with a chance that stays at {whole(SURE)} or more, only after "
            f"{formatted(decided.median, 'share')} of the moves."
        )
    if words := told_cards(one.dealt, found.tests):
        yield words
    yield from of_players(one)


def of_players(one: Found) -> Iterator[str]:
    """Yield sentences about the influence of the hand and of the player."""
    if one.luck:
        near = min(one.luck, key=lambda luck: luck.skill.value)
        hand, later, skill, own = (
            formatted(part.value, "share") for part in (near.hand, near.later, near.skill, near.own)
        )
        yield (
            f"Of the variance of results between {versus(near.strong, near.weak)}, the closest pair, {hand} is due to "
            f"the hand, {later} to later chance, {skill} to skill and {own} to the players’ own randomness."
        )
    if one.among and one.among[0].fair:
        weakest = one.among[0]
        yield (
            f"{weakest.name} wins {formatted(weakest.result.value, 'share')} of games against players like "
            f"{name_of(one.bots[0])}, where {whole(one.among[0].fair)} would be fair."
        )


def of_many(found: Findings) -> Iterator[Markup]:
    """Yield sentences about the comparison of tables."""
    first, *others = found.setups
    idle = {one.setup: idle_words(one, first.name) for one in found.unused}
    for one in others:
        clear = [
            Markup("{} <b>{}</b> <small>({})</small>").format(
                difference.title[0].lower() + difference.title[1:],
                signed(difference.estimate.value, difference.kind),
                between(difference.estimate, difference.kind, signs=True),
            )
            for difference in found.differences
            if difference.setup == one.name and difference.clear
        ]
        if one.same_as and one.name not in idle:
            yield Markup("{}").format(same_words(one))
        if clear or not (one.name in idle or one.same_as):
            said = Markup(", ").join(clear) or "no significant differences"
            yield Markup("<b>{}</b>, against “{}”: {}.").format(one.name, first.name, said)
        if one.name in idle:
            yield Markup("{}").format(idle[one.name])
    of_cards: dict[str, list[str]] = {}
    for one in found.setups:
        of_cards.setdefault(told_cards(one.dealt, found.tests), []).append(one.name)
    for words, names in of_cards.items():
        if words:
            yield Markup("<b>{}</b>: {}").format(listed(names), words)


# --- targets ----------------------------------------------------------------------------------------------------

STATES = {"meets": "meets", "misses": "misses", "open": "not proven"}
"""Verdicts in words."""


def on_targets(found: Findings) -> Markup:
    """Return a table of the targets, with the verdict on each table."""
    own = {(one.setup, one.measure): one for one in found.verdicts}
    kinds = {one.measure: one for one in found.verdicts}
    head = [*of_table(found), *(f"{STATISTICS[key].title}: {target_words(one)}" for key, one in kinds.items()), "All"]
    body = [
        [
            *of_table(found, one.name),
            *(target_cell(own[one.name, key]) if (one.name, key) in own else "–" for key in kinds),
            mark(state_of([own[one.name, key] for key in kinds if (one.name, key) in own])),
        ]
        for one in found.setups
    ]
    note = (
        f"A table meets or misses a target only if tests prove it, at {whole(LEVEL)} for all {found.tests:,} tests "
        "of the report together (Holm). The others are not proven: more games would tell."
    )
    return rows(head, body) + quiet(note)


def target_cell(one: Verdict) -> str:
    """Return the value of a measure, its interval, and the verdict on its target."""
    by = f", {beyond_words(one)}" if one.state == "misses" else ""
    return Markup("{}<p>{}{}</p>").format(cell(one.estimate, STATISTICS[one.measure].kind), mark(one.state), by)


def mark(state: str) -> Markup:
    return Markup("<span class='verdict {}'>{}</span>").format(state, STATES[state])


# --- side by side -----------------------------------------------------------------------------------------------


def beside(found: Findings) -> Markup:
    """Return all measures of all tables, as numbers, small multiples, and comparisons with the first table."""
    keys = [key for key in STATISTICS if any(one.measure(key) for one in found.setups)]
    clear = {(one.setup, one.measure) for one in found.differences if one.clear}
    grid = [["", *(STATISTICS[key].title for key in keys)]]
    grid += [[one.name, *(beside_cell(one, key, clear) for key in keys)] for one in found.setups]
    if len(found.setups) <= MOST_COLUMNS:
        grid = [list(column) for column in zip(*grid, strict=True)]
    note = (
        "Small figures are 95 % intervals. Values in bold differ significantly from the first table "
        f"({whole(LEVEL)}, Holm’s correction for all {found.tests:,} tests). Dashed lines are fair values. "
        f"{sharing(found.setups)}"
    )
    return Markup("<div class='beside'>{}</div>{}<div class='multiples'>{}</div>{}{}").format(
        rows(grid[0], grid[1:]),
        quiet(note),
        joined(multiple(found, key) for key in keys),
        differences(found),
        stopping(found),
    )


def multiple(found: Findings, key: str) -> Markup:
    """Return a small chart of a single measure, compared across all tables."""
    title, kind = STATISTICS[key].title, STATISTICS[key].kind
    points = [
        Point(one.name, measure.estimate, 1 / len(one.bots) if key == "first" else None, number)
        for number, one in enumerate(found.setups)
        if (measure := one.measure(key))
    ]
    words = "; ".join(f"{point.name} {formatted(point.estimate.value, kind)}" for point in points)
    picture = intervals(points, kind, f"{title}: {words}.")
    return Markup("<figure><h3>{}</h3>{}</figure>").format(title, picture)


def beside_cell(one: Found, key: str, clear: set[tuple[str, str]]) -> str:
    measure = one.measure(key)
    if not measure:
        return "–"
    return bold(measure.estimate, measure.kind, (one.name, key) in clear)


def bold(estimate: Estimate, kind: str, is_clear: bool) -> Markup:
    """Return the cell of an estimate, in bold if it clearly differs from what it is compared with."""
    shown = cell(estimate, kind)
    return Markup("<span class='clear'>{}</span>").format(shown) if is_clear else shown


def differences(found: Findings) -> Markup:
    """Return all comparisons with the first table."""
    head = "Table", "Measure", "Pairs", f"Against “{found.setups[0].name}”", "p", "p, Holm", ""
    body = [
        [
            one.setup,
            one.title,
            f"{one.games:,}",
            cell(one.estimate, one.kind, signs=True),
            *("–" if p is None else told_p(p) for p in (one.p, one.corrected)),
            Markup("<b>clear</b>") if one.clear else "",
        ]
        for one in found.differences
    ]
    return folded(f"All {len(body)} comparisons", rows(head, body))


def stopping(found: Findings) -> Markup:
    """Return the answers to the main question at the time when each table's games stopped."""
    title, kind = STATISTICS[found.main].title, STATISTICS[found.main].kind
    many = found.several
    body = [
        [
            one.name,
            f"{one.stopped.games:,}",
            cell(one.stopped.estimate, kind, signs=many),
            "clear" if one.stopped.clear else "not clear in all games",
        ]
        for one in found.setups
        if one.stopped
    ]
    if not body:
        return Markup()
    table = rows(("Table", "Games", f"{title}, against the first table" if many else title, "Answer"), body)
    note = (
        "Games ended as soon as the answer to the main question was clear. These intervals allow for repeated looks; "
        "those of other measures do not, and nothing else is tested."
    )
    return Markup("<h3>When the answer was clear</h3>") + table + quiet(note)


# --- sections ---------------------------------------------------------------------------------------------------


def label(found: Findings, one: Found, name: str) -> str:
    """Return a name for a chart, with the name of its table if there are several tables."""
    return f"{one.name}: {name}" if found.several else name


def who_wins(found: Findings) -> Iterator[Markup]:
    """Yield charts and tables of wins by bot and by seat, and a chart of the points of a single player."""
    for key, title, caption in WAYS:
        chances = {one.name: chances_of(one, key) for one in found.setups}
        if any(chances.values()):
            table = wins_of_many if found.several else wins_of_one
            yield figure(title, caption, wins_picture(found, chances, caption), *table(found, chances), kind="main")
    yield from statistics_on(found, "wins", "Points")


def chances_of(one: Found, key: str) -> dict[str, Chance]:
    """Return the chances at a table by the name of the seat or of the bot."""
    return {bot_names(one)[chance.name] if key == "by_bot" else chance.name: chance for chance in getattr(one, key)}


def wins_picture(found: Findings, chances: Mapping[str, Mapping[str, Chance]], caption: str) -> Markup:
    """Return a chart of the wins of each seat or bot. If there are several tables, the chart has only the first seat or
    bot of each."""
    points = [
        Point(label(found, one, name), chance.wins, chance.fair, number)
        for number, one in enumerate(found.setups)
        for name, chance in [*chances[one.name].items()][: 1 if found.several else None]
    ]
    words = "; ".join(f"{point.name} {formatted(point.estimate.value, 'share')}" for point in points)
    return intervals(points, "share", f"{caption} {words}.")


def wins_of_one(found: Findings, chances: Mapping[str, Mapping[str, Chance]]) -> tuple[list[str], list[list[str]]]:
    """Return the head and the rows of the table of wins at a single table: a row for each seat or bot."""
    (own,) = chances.values()
    body = [
        [
            name,
            bold(one.wins, "share", one.clear),
            whole(one.fair),
            cell(one.score, "points"),
            f"{one.games:,}",
            numbered(one.example),
        ]
        for name, one in own.items()
    ]
    return ["", "Wins", "Fair", "Mean score", "Games", "Its best"], body


def wins_of_many(found: Findings, chances: Mapping[str, Mapping[str, Chance]]) -> tuple[list[str], list[list[str]]]:
    """Return the head and the rows of the table of wins at several tables: a row for each table, and a column for each
    seat or bot."""
    names = list(dict.fromkeys(name for own in chances.values() for name in own))
    body = [
        [
            one.name,
            *(bold(own[name].wins, "share", own[name].clear) if name in own else "–" for name in names),
            whole(1 / len(one.bots)),
            f"{one.games:,}",
        ]
        for one in found.setups
        if (own := chances[one.name])
    ]
    return ["", *(name[0].upper() + name[1:] for name in names), "Fair", "Games"], body


def statistics_on(found: Findings, topic: str, title: str) -> Iterator[Markup]:
    """Yield the statistics on a topic: histograms for every table if they have several bars, and a table of the other
    statistics with this title."""
    rest = []
    for key, statistic in STATISTICS.items():
        having = [(one, measure) for one in found.setups if (measure := one.measure(key))]
        if statistic.topic != topic or not having:
            continue
        if not statistic.chart or all(len(one.lengths[key].shares) < FEWEST_BARS for one, _ in having):
            rest.append((statistic, having))
            continue
        bars = [
            Bars(one.name, one.lengths[key].start, one.lengths[key].width, one.lengths[key].shares, measure.median)
            for one, measure in having[:MOST_LINES]
        ]
        caption = f"{statistic.words.rstrip('.')}; dashed: the median."
        picture = histograms(bars, statistic.chart.lower(), caption)
        head = *of_table(found), *SPREAD
        yield figure(statistic.chart, caption, picture, head, spread_rows(found, having), folds=found.several)
    if rest:
        body = [[statistic.title, *row] for statistic, having in rest for row in spread_rows(found, having)]
        caption = " ".join(statistic.words for statistic, _ in rest)
        yield figure(title, caption, Markup(), ("Measure", *of_table(found), *SPREAD), body, folds=found.several)


SPREAD = ("Mean", "Low 5 %", "Middle", "Top 5 %", "Games")


def of_table(found: Findings, name: str = "Table") -> list[str]:
    """Return the cell with the name of a table, if there are several."""
    return [name] if found.several else []


def spread_rows(found: Findings, having: Sequence[tuple[Found, Measure]]) -> list[list[str]]:
    return [
        [
            *of_table(found, one.name),
            cell(measure.estimate, measure.kind),
            *(formatted(value, measure.kind) for value in (measure.low_5, measure.median, measure.high_5)),
            f"{measure.games:,}",
        ]
        for one, measure in having
    ]


def how_decided(found: Findings) -> Iterator[Markup]:
    """Yield charts of the chances over the course of a game, and of changes of lead."""
    having = [one for one in found.setups if one.course]
    if having:
        caption = (
            "The mean chance of the winner, as a spectator would know it; shaded areas are 95 % intervals, the "
            f"dashed line is {whole(SURE)}."
        )
        lines = [
            Curve(one.name, [at.part for at in one.course], [at.winner for at in one.course])
            for one in having[:MOST_LINES]
        ]
        if not found.several:
            course = having[0].course
            parts = [at.part for at in course]
            lines = [
                Curve("the later winner", parts, [at.winner for at in course]),
                Curve("the favourite", parts, [at.favourite for at in course]),
            ]
        body = [
            [
                *of_table(found, one.name),
                formatted(at.part, "share"),
                cell(at.winner, "share"),
                cell(at.favourite, "share"),
            ]
            for one in having
            for at in one.course[::2]
        ]
        picture = curves(lines, "part of the game", caption, SURE)
        head = (*of_table(found), "After", "Later winner", "Favourite")
        yield figure("Chances over a game", caption, picture, head, body)
    yield from statistics_on(found, "course", "Changes")


def luck_and_skill(found: Findings) -> Iterator[Markup]:
    """Yield charts of luck and skill, and of other opponents at the table."""
    parted = [(label(found, one, versus(luck.strong, luck.weak)), luck) for one in found.setups for luck in one.luck]
    if parted:
        caption = (
            "What the variance of results is due to: what the seats see of the deal, what is drawn later, the better "
            "player, the order of play, how these suit one player more than the other, and the players’ own "
            "randomness."
        )
        shares = [(name, luck.deals, [getattr(luck, share) for share in SHARES]) for name, luck in parted]
        stacked = [(name, tuple(max(0.0, part.value) for part in parts)) for name, _, parts in shares]
        body = [[name, *(cell(part, "share") for part in parts), f"{deals:,}"] for name, deals, parts in shares]
        head = ("Players", *(words.capitalize() for words in SHARES.values()), "Deals")
        picture = stacks(stacked, tuple(SHARES.values()), caption)
        yield figure("What decides who wins", caption, picture, head, body)
    guests = [
        (label(found, one, guest.name), number, guest) for number, one in enumerate(found.setups) for guest in one.among
    ]
    if guests:
        wins = guests[0][2].fair is not None
        kind, caption = "points", "Mean points of each opponent."
        if wins:
            kind = "share"
            caption = "First places of one such player among the players of the study; dashed: the fair share."
        points = [Point(name, guest.result, guest.fair, number) for name, number, guest in guests]
        body = [[name, guest.plays, cell(guest.result, kind), f"{guest.games:,}"] for name, _, guest in guests]
        head = ("Player", "How it plays", "Wins" if wins else "Points", "Games")
        yield figure("Other players at the table", caption, intervals(points, kind, caption), head, body)


def versus(strong: str, weak: str) -> str:
    return f"{name_of(strong)} and {name_of(weak)}"


def cards_told(found: Findings) -> Iterator[Markup]:
    """Yield charts of the wins of players who were dealt each card, and of those who played it. If there are several
    tables, a table compares the cards dealt."""
    having = [one for one in found.setups[:MOST_COLUMNS] if one.dealt]
    if having:
        caption = (
            "Share of first places of the players who were dealt each card. Cards are dealt at random, so a difference "
            "from a fair share comes from the card. The intervals of all cards hold together."
        )
        wins = {one.name: {card.words: card for card in one.dealt} for one in having}
        names = list(dict.fromkeys(name for own in wins.values() for name in own))
        picture = Markup()
        if not found.several:
            far = sorted(having[0].dealt, key=lambda card: -abs(card.wins.value - card.fair))[:MOST_CARDS]
            points = [Point(card.words, card.wins, card.fair) for card in having[0].dealt if card in far]
            picture = intervals(points, "share", caption)
        body = [
            [
                name,
                *(bold(own[name].wins, "share", own[name].side != 0) if name in own else "–" for own in wins.values()),
                *([f"{having[0].dealt[number].seats:,}"] if not found.several else []),
            ]
            for number, name in enumerate(names)
        ]
        head = ["Card", *wins] if found.several else ["Card", "Wins", "Seats"]
        yield figure("Cards dealt", caption, picture, head, body)
    if not found.several:
        yield from cards_played(found.setups[0])


def cards_played(one: Found) -> Iterator[Markup]:
    """Yield a chart of the wins of the players who played each card, with a table of how often that happens."""
    played = [often for often in one.often if often.kind == "card"]
    cards = [(often.words, often.wins) for often in played if often.wins]
    if not cards:
        return
    caption = (
        "Share of first places of the players who played, discarded or laid each card, for the most frequent cards; "
        "dashed: the fair share. Players who are ahead play more cards, so compare cards with each other. The "
        "intervals of all cards hold together."
    )
    shown = sorted(cards[:MOST_CARDS], key=lambda card: -card[1].value)
    points = [Point(words, wins, 1 / len(one.bots)) for words, wins in shown]
    head = "", "Share of games", "Times per game", "Wins of these players", "Most in"
    body = [often_row(often, has_wins=True) for often in played]
    yield figure(NAMES["card"][0], caption, intervals(points, "share", caption), head, body)


def what_happens(found: Findings) -> Iterator[Markup]:
    """Yield tables of the frequency of every named event."""
    for kind, (title, caption) in NAMES.items():
        having = [(one, often) for one in found.setups for often in one.often if often.kind == kind]
        if not having:
            continue
        has_wins = any(often.wins for _, often in having)
        head = [*of_table(found), "", "Share of games", "Times per game"]
        head += [*(["Wins of these players"] if has_wins else []), "Most in"]
        body = [of_table(found, one.name) + often_row(often, has_wins) for one, often in having]
        if found.several:
            yield figure(title, f"{caption} Times per game.", Markup(), *times_of_many(found, kind), more=(head, body))
        elif kind != "card" or not has_wins:
            yield figure(title, caption, Markup(), head, body)


def times_of_many(found: Findings, kind: str) -> tuple[list[str], list[list[str]]]:
    """Return the head and the rows of a table of the most frequent events, with a column for each table."""
    shown = found.setups[:MOST_COLUMNS]
    times = {one.name: {often.name: often for often in one.often if often.kind == kind} for one in shown}
    names = dict.fromkeys(name for own in times.values() for name in own)
    most = sorted(names, key=lambda name: -max(own[name].times.value for own in times.values() if name in own))
    body = [
        [
            next(often_name(own[name]) for own in times.values() if name in own),
            *(cell(own[name].times, "number") if name in own else "–" for own in times.values()),
        ]
        for name in most[:MOST_EVENTS]
    ]
    return ["", *times], body


def often_row(often: Often, has_wins: bool) -> list[str]:
    """Return the row of an event: its id, if it has one, and its words."""
    wins = cell(often.wins, "share") if often.wins else "–"
    games, times = cell(often.games, "share"), cell(often.times, "number")
    return [often_name(often), games, times, *([wins] if has_wins else []), numbered(often.example)]


def often_name(often: Often) -> str:
    if often.kind in ("clause", "ending"):
        return Markup("{}<small class='words'>{}</small>").format(often.name, often.words)
    return Markup("<span class='words'>{}</span>").format(often.words)


def games_to_see(found: Findings) -> Markup:
    """Return the numbers of the games with notable values of each measure, and the command that shows one of them."""
    game, shown = ("TABLE:GAME" if found.several else "GAME"), found.setups[:MOST_COLUMNS]
    command = Markup("<p><code>{} --replay {}</code></p>").format(found.command, game)
    which = " TABLE is the number of a table, counted from 1." if found.several else ""
    note = quiet(f"This prints a game move by move, and with --out FILE writes an analysis of its decisions.{which}")
    body = [
        [words, *(game_cell(one.measure(key), place) for one in shown)]
        for words, key, place in PICKS
        if any((measure := one.measure(key)) and measure.low < measure.high for one in shown)
    ]
    every = [
        [*of_table(found, one.name), measure.title, *(game_cell(measure, place) for place in range(3))]
        for one in found.setups
        for measure in one.measures
        if measure.low < measure.high
    ]
    head = ["", *(one.name for one in shown)] if found.several else ["", "Game"]
    more = rows((*of_table(found), "Measure", "Lowest", "Middle", "Highest"), every)
    return command + note + rows(head, body) + folded(f"Games for every measure, {len(every)} rows", more)


def game_cell(measure: Measure | None, place: int) -> str:
    """Return the number of the game at a place in the examples of a measure, with its value."""
    if not measure or not measure.examples:
        return "–"
    value = (measure.low, measure.median, measure.high)[place]
    unit = f" {UNITS.get(measure.key, '')}".rstrip()
    return Markup("{}<small>{}{}</small>").format(
        numbered(measure.examples[place]), formatted(value, measure.kind), unit
    )


def numbered(game: int | None) -> str:
    """Return the number of a game in words, without a separator, as the command takes it."""
    return "–" if game is None else f"game {game}"


# --- the end ----------------------------------------------------------------------------------------------------


def how_made(found: Findings) -> Markup:
    """Return the section with the command, the seed, the versions, and notes on the meaning of the numbers."""
    versions = ", ".join(f"{name} {number}" for name, number in found.versions.items())
    own = list(dict.fromkeys(str(one.seed) for one in found.setups))
    seeds = f"Seed{'s' if len(own) > 1 else ''} {listed(own)}"
    numbers = {"playouts": found.study.playouts, "tests": f"{found.tests:,}"}
    notes = [note.format(seeds=seeds, versions=versions, **numbers) for note in NOTES]
    body = [
        [
            one.name,
            ", ".join(name_of(bot) for bot in dict.fromkeys(one.bots)),
            ", ".join(f"{name} {value}" for name, value in one.differs.items() if name != "catalogue"),
            str(one.seed),
            *(f"{number:,}" for number in (one.games, one.watched, one.followed)),
        ]
        for one in found.setups
    ]
    table = rows(("Table", "Bots", "Options", "Seed", "Games", "Watched", "Followed"), body)
    told_notes = joined(Markup("<p>{}</p>").format(note) for note in notes)
    return Markup("<p><code>{}</code></p>").format(found.command) + told_notes + table


def figures(drawn: Iterable[Markup]) -> Markup:
    parts = [*drawn]
    return Markup("<div class='figures{}'>{}</div>").format(" single" if len(parts) == 1 else "", joined(parts))


def figure(
    title: str,
    caption: str,
    picture: Markup,
    head: Sequence[str] = (),
    body: Sequence[Sequence[str]] = (),
    more: tuple[Sequence[str], Sequence[Sequence[str]]] | None = None,
    folds: bool = False,
    kind: str = "",
) -> Markup:
    """Return a chart with its title, a caption, and a table of its numbers. The table is folded if `folds` is true or
    if it is long; without a chart, the first rows of a long table stay visible. `more` is a table with all details,
    which is folded. A figure of the kind `main` is as wide as the page, and its table is never folded."""
    numbers = rows(head, body) if body else Markup()
    if folds or (picture and len(body) > SHORT_TABLE and kind != "main"):
        numbers = folded(f"The numbers, {len(body)} rows", numbers)
    elif not picture and len(body) > LONG_TABLE:
        rest = body[LONG_TABLE:]
        numbers = rows(head, body[:LONG_TABLE]) + folded(f"{len(rest)} more rows", rows(head, rest))
    if more:
        numbers += folded(f"All details, {len(more[1])} rows", rows(*more))
    layout = Markup("<figure class='{}'><h3>{}</h3>{}<figcaption>{}</figcaption>{}</figure>")
    return layout.format(kind, title, picture, quiet(caption), numbers)
