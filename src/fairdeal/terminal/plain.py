"""Removal of control characters from untrusted text, such as names, chat, logs and error messages.

A terminal carries out control characters, and reorders text around characters that change the writing direction. The
commands print only with `say` and `terminal.console`, and the screens draw through `PlainLines` (terminal/app.py), all
of which remove these characters. Joiners are kept, because emoji and some scripts need them.
"""

import re
import sys

SPACES = "\t\n\v\f\r\x85\u2028\u2029"
"""Control characters that separate words."""

COMMANDS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters (C0, DEL and C1), line separators, and characters that change the writing direction."""


def plain(text: str) -> str:
    """Return a line of text without the characters that control a terminal.

    >>> plain("Ada\\x1b]0;title\\x07\\n✓ verified")
    'Ada]0;title ✓ verified'
    """
    return COMMANDS.sub(lambda found: " " if found[0] in SPACES else "", text)


def say(*lines: str, error: bool = False, flush: bool = False) -> None:
    """Print lines to standard output, or to standard error."""
    for line in lines or ("",):
        print(plain(line), file=sys.stderr if error else sys.stdout, flush=flush)
