"""`python -m fairdeal`."""

from fairdeal.cli import main

main()
