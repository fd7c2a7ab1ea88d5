"""`python -m fairdeal.cli`."""

from fairdeal.cli import main

main()
