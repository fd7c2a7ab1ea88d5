"""Checks that the plain rules, the compiled ones and WebAssembly compute the same."""
