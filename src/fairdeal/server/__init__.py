"""The card room: tables over HTTP and WebSocket, stored in a database, shown by one browser client.

One process serves a room. It locks a file beside its SQLite database (WAL mode, synchronous=FULL), so a second room on
that database is refused. A move is acknowledged once it is saved; tables that save at the same moment share a commit.
Every request contains the expected number of the log entry and an id, so a retry changes nothing and a stale move is
refused with a reason and a fresh view.

`room` holds the tables in memory and lets them sleep: a finished table a minute after its last connection closes, a
table that waits for people without a clock after ten. A start of the room wakes only tables that continue by
themselves. `tables.live` is one table: who sits there (`tables.seats`), clocks and bots (`tables.pace`,
`tables.driver`, `tables.thinking`), viewers (`tables.audience`) and what it was opened with (`tables.terms`). `api`
answers requests, `storage` reads and writes rows, and `extras` analyses finished games in a separate process of low
priority and sends notices by webhook.

Guests need no account: they have a nickname and a random id in a signed cookie. The room commits to a seed before a
player chooses a nonce (`storage.promises`), and seeds are derived from a secret of the room, so commitments need no
memory.
"""
