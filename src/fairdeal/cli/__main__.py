"""Run the commands with `python -m fairdeal.cli`."""

from fairdeal.cli import main

main()
