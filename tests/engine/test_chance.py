"""The random number generator gives the published test vectors, and its draws are even."""

import numpy as np

from fairdeal.engine.kit import chance
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.records import new
from tests.conftest import refusal


def generator(key: bytes):
    source = new(chance_record)
    chance.set_key(source, key)
    return source


def stream(source, words: int) -> bytes:
    return np.array([chance.next_word(source) for _ in range(words)], "<u4").tobytes()


def test_eight_rounds_give_the_published_stream():
    # J. Strömbergson, "Test Vectors for the Stream Cipher ChaCha" (draft-strombergson-chacha-test-vectors-01),
    # 8 rounds, 256-bit zero key, zero nonce, first block.
    assert stream(generator(bytes(32)), 16).hex() == (
        "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
        "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42"
    )


def test_twenty_rounds_give_the_stream_of_rfc_8439():
    # RFC 8439, appendix A.1, test vectors 1 and 2 (zero key and nonce, counters 0 and 1).
    words = np.zeros(16, "u4")
    for counter, beginning in (
        (0, "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"),
        (1, "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"),
    ):
        chance.write_block(np.zeros(8, "u4"), counter, words, 10)
        assert words.tobytes().hex().startswith(beginning)


def test_the_stream_goes_on_over_blocks_without_repeating():
    words = stream(generator(chance.key_of(1)), 64)
    assert len({words[i : i + 64] for i in range(0, 256, 64)}) == 4


def test_draws_stay_below_their_bound_and_reach_every_number():
    source = generator(chance.key_of(2))
    for bound in (1, 2, 3, 7, 60):
        assert {int(chance.draw(source, bound)) for _ in range(60 * bound)} == set(range(bound))


def test_draws_are_even():
    source = generator(chance.key_of(3))
    counts = np.bincount([int(chance.draw(source, 6)) for _ in range(12_000)], minlength=6)
    chi_square = float(((counts - 2000) ** 2 / 2000).sum())
    assert chi_square < 20.5  # 99.9 % of fair dice stay below it (5 degrees of freedom)


def test_a_bound_that_does_not_divide_the_words_rejects_the_uneven_rest():
    # With a bound just above 2**30, a quarter of all words must be drawn again: see the position in the stream.
    source = generator(chance.key_of(4))
    for _ in range(2000):
        chance.draw(source, 3 << 29)
    spent = (int(source.block) - 1) * 16 + int(source.spent)
    assert 2500 < spent < 2850  # 2000 * 4 / 3 = 2667 expected


def test_derived_keys_differ_and_leave_the_source_alone():
    source, first, second = generator(chance.key_of(5)), new(chance_record), new(chance_record)
    before = source.tobytes()
    chance.derive(first, source, 1)
    chance.derive(second, source, 2)
    assert first.key.tolist() != second.key.tolist()
    assert source.tobytes() == before


def test_seeds_of_different_types_give_different_keys():
    assert len({chance.key_of(seed) for seed in (7, 8, "seven", b"\x07")}) == 4
    assert chance.key_of(7) == chance.key_of("7")


def test_a_seed_with_half_a_character_is_refused_with_its_position():
    with refusal("lone surrogate at position 2"):
        chance.key_of("a\ud800")
