"""The page about a guest's own data as a document: what the room and the browser store, and for how long."""

from markupsafe import Markup

from fairdeal.engine.scene import count_of
from fairdeal.server.documents import EMPTY, HEADER
from fairdeal.server.settings import Settings
from fairdeal.server.storage.ratings import ENOUGH
from fairdeal.server.tables.guests import ONE_YEAR

STORED = {
    "name": "your name",
    "opponents": "the opponents that you chose last",
    "learnt": "the games whose lessons you have finished",
    "notes": "the notes on rules that you have read",
    "notices": "whether it announces your turns",
    "sound": "whether there is sound",
    "speed": "how fast cards move",
    "hand": "the order of your cards at the last tables",
    "numbers": "your numbers for deals of the day, until a week after these",
    "records": "your secret numbers, and what the room sent of your games, with which it checks them",
    "games": "the list of your last finished games, for when the room cannot be reached",
    "app": "the pages, rules and lessons of this room, for the same reason; nothing of you is in them",
    "analysis": "the analyses of games, until you close the tab",
}
"""The data that browsers store for the room, by the first word of their names."""

BANNED = Markup(
    "<p class='note' data-tone='bad' role='alert'>The keeper of this room has excluded you. You can still download and "
    "delete your data.</p>"
)

KEPT_BY = Markup("<p>This room is kept by <a href='{}'>{}</a>.</p>")

DAILY = Markup("""<dt>Deals of the day</dt>
<dd>Which of them you have played, on which day, and the number that you gave with each, until you delete your data.
Guests with whom you have finished a game in this room see your name, your result and where your game differs from
theirs, once they have played the same deal.</dd>
""")

LEFT = Markup("""<li><b>Not deleted:</b> your numbers for deals of the day, which are in the records of these deals,
but without a link to you.</li>
""")

DOCUMENT = Markup("""{header}{banned}
<section><h2>In the room</h2>{kept_by}<dl>
<dt>A cookie</dt>
<dd>A random number tells the room that it is you. It is in a cookie, which lasts {cookie} after your last visit. There
are no accounts, and the room asks for no address, telephone number or password.</dd>
<dt>Your name</dt>
<dd>The room keeps the last {names:,} names that guests have entered. The oldest are deleted.
<a class='link' href='/keep'>Keep your name</a>, and it stays until you stop that. For this, the room stores a hash of
six words, the shape of the name, and how often you have signed out other devices.</dd>
<dt>Your tables</dt>
<dd>For each table: your seat with your name, your moves and when you made them, and your number for the deal.
{unfinished} {finished} Everybody who has the link can look at a finished game. A table shows how many finished games of
the same people, under the same names, each of you has won. <a class='link' href='/you'>Your games</a> are shown to
you alone.</dd>
<dt>Your ratings</dt>
<dd>For each rated game: your place, and your rating before and after it, for as long as the table is kept. From
{enough} rated games of a kind on, everybody can see your last rating with your name.</dd>
<dt>Days away</dt>
<dd>When you were away, and will be, until you delete your data. The others at tables over days see until when.</dd>
<dt>Your evenings</dt>
<dd>For each evening that you have opened or entered: your name there, and your number in the order of entry, for as
long as finished games are kept. Everybody who has its link sees the names, the results and the standings.</dd>
{daily}<dt>What you write</dt>
<dd>The last {lines} of each table, with names and times, for as long as the table is kept.</dd>
<dt>Where you are told of your turns</dt>
<dd>The web address that you set, if you did, until you switch it off. {webhooks} Each browser that shows notices: its
address at the push service of its maker, which cannot read them, and your silent hours, until you switch that off. Of
each table, the last notice for you, for as long as the table is kept.</dd>
<dt>Exclusion</dt>
<dd>If the keeper of the room excludes you: the number of your cookie, and since when, until that is lifted. What the
keeper has done about you, with the number of your cookie until you delete your data. If guests report your name or one
of your lines: that, without who did.</dd>
<dt>Addresses and copies</dt>
<dd>{addresses} A server in front of it may log all of them. The keeper may have copies of the room’s database. Ask the
keeper how long logs and copies are kept.</dd>
</dl></section>
<section><h2>In this browser</h2><div class='forgetting'></div>
<p>Your browser stores this for the pages of the room, until you delete it:</p>
<ul class='stored'>{stored}</ul></section>
<section><h2>Download your data</h2>
<p>Everything that the room has linked to you, in one JSON file.</p>
<a class='btn' href='/api/me/data' download>Download</a></section>
<section><h2>Delete your data</h2><ul class='stored'>
<li>Deleted: your name, the hash of its six words, what you wrote, your cookie, and what this browser stores.</li>
<li>Deleted: tables and games at which you are the only person.</li>
<li><b>Not deleted:</b> games with other people. They keep your name, because their logs are signed with it and could
not be checked without it, but are no longer linked to you. If one is running, a bot plays on for you. Your ratings
disappear, and those of the others stay as they are.</li>
<li><b>Not deleted:</b> your results at evenings, which count for those of the others. You are called “A former
guest” there.</li>
{left}<li><b>Not deleted:</b> an exclusion by the keeper, the keeper’s copies, and what others have saved.</li></ul>
<button class='btn asks'>Delete my data</button>
<div class='for-good' role='group' aria-label='Delete your data?' hidden>
<p>This cannot be undone. <span class='problem'></span></p>
<button class='btn main deletes'>Delete for good</button><button class='btn keeps'>Keep</button></div></section>
""")


def privacy_of(settings: Settings, banned: bool) -> Markup:
    """Return the page of a room with these settings. `banned` is true for a guest whom the keeper has excluded."""
    finished, unfinished = settings.keep_finished_days, settings.keep_unfinished_days
    contact, told = settings.contact, " or ".join(settings.webhooks)
    return DOCUMENT.format(
        header=HEADER.format("Your data", ""),
        banned=BANNED if banned else "",
        kept_by=KEPT_BY.format(contact if "://" in contact else f"mailto:{contact}", contact) if contact else "",
        cookie=count_of(ONE_YEAR // 86_400, "day"),
        names=settings.limits.guest_names,
        enough=ENOUGH,
        unfinished=f"Unfinished tables are deleted {count_of(unfinished, 'day')} after they were last used, unless you "
        "delete them earlier."
        if unfinished
        else "Unfinished tables stay until they are finished, or you or the keeper delete them.",
        finished=f"Finished games are deleted {count_of(finished, 'day')} after they were last used."
        if finished
        else "Finished games stay until the keeper deletes them.",
        daily=EMPTY if settings.daily == "off" else DAILY,
        left=EMPTY if settings.daily == "off" else LEFT,
        lines=count_of(settings.limits.chat_lines, "line"),
        webhooks=f"It is told the link, the game and the names at the table, if it is at {told}."
        if told
        else "This room sends nothing there.",
        addresses="The room logs the network addresses of requests that it refuses."
        if settings.log_addresses
        else "The room does not log network addresses.",
        stored=EMPTY.join(Markup("<li>{}</li>").format(words) for words in STORED.values()),
    )
