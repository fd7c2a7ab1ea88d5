"""Counters that several threads increment: each number is given to one of them."""

import threading

import numpy as np

from fairdeal.engine.compile.atomics import add, adder, native
from fairdeal.engine.compile.compiler import cache_folder, compile_rules, compiler_options
from fairdeal.engine.records import Record, chance, rule

NEXT, HERE = 0, 8
NUMBERS = 200_000
LOOKS = 10_000_000


@rule
def take_numbers(numbers: Record, taken: Record, threads: int) -> None:
    """Once all threads are here, or after many looks, take numbers and mark them until there are no more."""
    add(numbers, HERE, 1)
    for _ in range(LOOKS):
        if add(numbers, HERE, 0) == threads:
            break
    number = add(numbers, NEXT, 1)
    while number < len(taken):
        taken[number] += 1
        number = add(numbers, NEXT, 1)


def test_an_addition_returns_the_value_before():
    numbers = np.array([5, 7])
    for count in (add, adder()):
        assert [count(numbers, 1, 3), count(numbers, 1, 0), count(numbers, 1, -3)] == [7, 10, 10]
        assert numbers.tolist() == [5, 7]


def test_an_addition_is_one_atomic_instruction():
    (code,) = adder().inspect_llvm().values()  # threads that seldom run side by side would seldom show it
    assert "atomicrmw add" in code
    assert "seq_cst" in code


def test_threads_never_take_the_same_number():
    take = compile_rules("atomics", chance, {"take": take_numbers}, {})["take"]
    take(np.zeros(16, np.int64), np.zeros(4, np.int8), 1)
    for _ in range(3):
        numbers, taken = np.zeros(16, np.int64), np.zeros(NUMBERS, np.int8)
        threads = [threading.Thread(target=take, args=(numbers, taken, 2)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (taken == 1).all()
        assert numbers[NEXT] == NUMBERS + 2


def test_code_is_saved_under_a_key_of_the_function_that_makes_it():
    def folder(make):
        def count(numbers: Record) -> int:
            return int(numbers[0])

        rule = native(make)(count)
        return cache_folder(compiler_options([rule], {}), {}, chance)

    assert folder(lambda: 1) == folder(lambda: 1)
    assert folder(lambda: 1) != folder(lambda: 2)
