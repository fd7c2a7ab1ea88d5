"""A ChaCha8 random number generator that is stored in the state.

A key gives the same numbers in every version and on every platform. D. J. Bernstein, "ChaCha, a variant of Salsa20"
(2008), with 8 rounds, a 64-bit block counter of which 32 bits are used, and a zero nonce. Words are handled as 64-bit
integers below 2**32, so that plain Python and compiled code do the same arithmetic.
"""

import hashlib
from typing import Any

import numpy as np

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.fields import fields_of
from fairdeal.engine.records import Record, new, rule
from fairdeal.engine.records import chance as chance_record

Word = Any
"""A 32-bit word as a 64-bit integer. In plain Python it is an `int`, which is several times as fast as NumPy's
integers."""

MASK = 0xFFFFFFFF
WORDS = 16
DOUBLE_ROUNDS = 4


@rule
def wide(number: int) -> Word:
    """Return a number below 2**32 as a word, regardless of the integer type of its field."""
    return int(number) & MASK


@rule
def quarter_round(a: Word, b: Word, c: Word, d: Word) -> tuple[Word, Word, Word, Word]:
    """Return the words after one quarter round: add, XOR and rotate left by 16, 12, 8 and 7 bits."""
    a = (a + b) & MASK
    d ^= a
    d = (d << 16 | d >> 16) & MASK
    c = (c + d) & MASK
    b ^= c
    b = (b << 12 | b >> 20) & MASK
    a = (a + b) & MASK
    d ^= a
    d = (d << 8 | d >> 24) & MASK
    c = (c + d) & MASK
    b ^= c
    b = (b << 7 | b >> 25) & MASK
    return a, b, c, d


@rule
def write_block(key: Record, block: int, words: Record, double_rounds: int) -> None:
    """Write block number `block` of the key stream: sixteen 32-bit words."""
    k0, k1, k2, k3 = wide(key[0]), wide(key[1]), wide(key[2]), wide(key[3])
    k4, k5, k6, k7 = wide(key[4]), wide(key[5]), wide(key[6]), wide(key[7])
    a0, a1, a2, a3 = 0x61707865, 0x3320646E, 0x79622D32, 0x6B206574
    b0, b1, b2, b3, c0, c1, c2, c3 = k0, k1, k2, k3, k4, k5, k6, k7
    d0, d1, d2, d3 = wide(block), 0, 0, 0
    for _ in range(double_rounds):
        a0, b0, c0, d0 = quarter_round(a0, b0, c0, d0)
        a1, b1, c1, d1 = quarter_round(a1, b1, c1, d1)
        a2, b2, c2, d2 = quarter_round(a2, b2, c2, d2)
        a3, b3, c3, d3 = quarter_round(a3, b3, c3, d3)
        a0, b1, c2, d3 = quarter_round(a0, b1, c2, d3)
        a1, b2, c3, d0 = quarter_round(a1, b2, c3, d0)
        a2, b3, c0, d1 = quarter_round(a2, b3, c0, d1)
        a3, b0, c1, d2 = quarter_round(a3, b0, c1, d2)
    words[0], words[1] = (a0 + 0x61707865) & MASK, (a1 + 0x3320646E) & MASK
    words[2], words[3] = (a2 + 0x79622D32) & MASK, (a3 + 0x6B206574) & MASK
    words[4], words[5], words[6], words[7] = (b0 + k0) & MASK, (b1 + k1) & MASK, (b2 + k2) & MASK, (b3 + k3) & MASK
    words[8], words[9], words[10], words[11] = (c0 + k4) & MASK, (c1 + k5) & MASK, (c2 + k6) & MASK, (c3 + k7) & MASK
    words[12], words[13], words[14], words[15] = (d0 + wide(block)) & MASK, d1, d2, d3


@rule
def restart(chance: Record) -> None:
    """Rewind the generator to the first word of its key's stream."""
    chance.block = 0
    chance.spent = WORDS
    for i in range(WORDS):
        chance.words[i] = 0


@rule
def blank(chance: Record) -> None:
    """Set the key and the words of a generator to 0, as in a concealed state.

    >>> state = load("chi").deal(seed=7).record
    >>> blank(state.chance)
    >>> state.chance.key.any()
    np.False_
    """
    for i in range(8):
        chance.key[i] = 0
    restart(chance)


@rule
def next_word(chance: Record) -> Word:
    """Return the next 32 random bits."""
    if chance.spent == WORDS:
        write_block(chance.key, chance.block, chance.words, DOUBLE_ROUNDS)
        chance.block += 1
        chance.spent = 0
    word = wide(chance.words[chance.spent])
    chance.spent += 1
    return word


@rule
def draw(chance: Record, bound: int) -> int:
    """Return a random number from 0 to `bound - 1`, each equally likely. `bound` is from 1 to 2**31 - 1.

    D. Lemire, "Fast Random Integer Generation in an Interval" (2019): multiply, then reject the values that would bias
    the result.

    >>> state = load("chi").deal(seed=7).record
    >>> [draw(state.chance, 6) for _ in range(5)]
    [1, 5, 1, 2, 1]
    """
    size = wide(bound)
    product = next_word(chance) * size
    rest = product & MASK
    if rest < size:
        uneven = ((MASK + 1) - size) % size
        while rest < uneven:
            product = next_word(chance) * size
            rest = product & MASK
    return product >> 32


@rule
def rekey(chance: Record, source: Record) -> None:
    """Give the generator `chance` a new key, drawn from the generator `source`.

    >>> state, other = load("chi").deal(seed=7).record, load("chi").deal(seed=8).record
    >>> rekey(state.chance, other.chance)
    >>> draw(state.chance, 1000)
    915
    """
    for i in range(8):
        chance.key[i] = next_word(source)
    restart(chance)


@rule
def derive(chance: Record, source: Record, number: int) -> None:
    """Set the key of the generator `chance` to key number `number` (below 2**32) of the generator `source`, without
    advancing `source`."""
    write_block(source.key, number, chance.words, DOUBLE_ROUNDS)
    for i in range(8):
        chance.key[i] = chance.words[i]
    restart(chance)


def set_key(chance: Record, key: bytes) -> None:
    """Start a generator from a key of 32 bytes."""
    chance.key[:] = np.frombuffer(key, "<u4", count=8)
    restart(fields_of(chance))


def key_of(seed: int | str | bytes) -> bytes:
    """Return the key for a seed given by a person: a number, a word or bytes. Raises FairdealError for a word with a
    lone surrogate, which cannot be encoded."""
    try:
        name = seed if isinstance(seed, bytes) else str(seed).encode()
    except UnicodeEncodeError as problem:
        where = f"lone surrogate at position {problem.start + 1}"
        raise FairdealError(f"seed {seed!r} cannot be encoded: {where}; give a number, bytes or valid text") from None
    return hashlib.sha256(b"fairdeal seed " + name).digest()


def seeded(seed: int | str | bytes) -> Record:
    """Return a new generator, started from a seed."""
    source = new(chance_record)
    set_key(source, key_of(seed))
    return source
