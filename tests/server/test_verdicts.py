"""The verdicts of the page and of `fairdeal verify`: the same checks, with the same sentences, say the same of the same
records and logs.

web/record/checks.js is made from `CHECKS`. After a change write it anew: `python -m tests.server.test_verdicts`.
"""

import json

from fairdeal.server.static_files import WEB
from fairdeal.table.verdict import CHECKS

FILE = WEB / "record" / "checks.js"

HEAD = """\
// The checks of a room and what each says, made from `CHECKS` (table/verdict.py) by
// `python -m tests.server.test_verdicts`.

/** The sentences of a check: if it holds, and by the reasons for which it is broken or unknown.
 * @typedef {{ holds: string, broken: Record<string, string>, unknown: Record<string, string> }}
 *   Sentences */

/** @type {Record<import('../fair/proof.js').Check, Sentences>} */
// prettier-ignore
"""


def script():
    told = {check: {"holds": one.holds, "broken": one.broken, "unknown": one.unknown} for check, one in CHECKS.items()}
    return f"{HEAD}export const CHECKS = {json.dumps(told, indent=1, ensure_ascii=False)};\n"


def test_the_page_has_the_same_sentences():
    assert FILE.read_text("utf-8") == script(), "run python -m tests.server.test_verdicts"


if __name__ == "__main__":
    FILE.write_text(script(), "utf-8")
