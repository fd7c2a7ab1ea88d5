"""The card room: tables over HTTP and WebSocket, stored in a database and shown by one browser client.

One process serves a room from an SQLite file (WAL mode, synchronous=FULL) or a PostgreSQL database
(synchronous_commit=on), which it locks, so that a second room cannot use it. A move is acknowledged once it is saved,
and tables that save at the same time share a commit. Every request contains an id and the expected number of the log
entry. A retry therefore changes nothing, and an outdated move gets an error with a reason and a current view.

`room` holds the tables in memory and unloads them when they are idle: a finished table a minute after its last
connection closes, and a table that waits for people without a clock, or with one in days, after ten minutes. When the
room starts, it loads only tables that continue by themselves, and it looks for turns over days that end. `tables.live`
is one table, with its seats (`tables.seats`), clocks and bots (`tables.pace`, `tables.driver`, `tables.thinking`),
viewers (`tables.audience`) and terms (`tables.terms`). `api` answers requests, `storage` reads and writes rows, and
`extras` analyses finished games in a separate process with low priority and sends notices of turns. `long_work` runs
bots, hints and other long computations in threads, with fair turns.

Guests need no account: they have a nickname and a random id in a signed cookie. The room commits to a seed before a
player chooses a nonce (`storage.promises`). Seeds are derived from a secret of the room, so commitments need not be
stored.
"""
