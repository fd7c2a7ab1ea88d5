"""Compile the rules of a game with Numba, and cache the compiled code.

`@rule` (`engine.records`) only marks a plain function, so rule modules need not import Numba. In plain Python, rules
work on `ctypes` structures over the bytes of a record (`engine.fields`), at 20 to 50 microseconds a move. `compiled`
compiles a game in the background. `compiler` walks the call graph from the functions of the contract, copies each rule,
and passes the copies to Numba. `linking` optimizes all of them once, as one module. `cache` saves the result in a
folder whose name `fingerprint` derives from everything that the code depends on. Both engines produce the same bytes,
and tests compare them after every action of random games.

Known traps:

- Numba's own cache does not notice a change in an imported rule or constant. The folder's name therefore covers the
  module, name and bytecode of every rule, the value of every constant that it reads, and the versions of the libraries.
- Numba does not check the bounds of arrays. Run the tests of games with `NUMBA_BOUNDSCHECK=1` after changing a record.
- NumPy scalars and Python integers are promoted differently from Numba's. Plain rules therefore read Python's integers
  from a state. Rules widen what they read from arrays (`int(RANK[kind])`), and arithmetic of the generator stays below
  2**32 in 64-bit integers.
- NumPy does not copy padding, so `record` fills it with a field.
"""
