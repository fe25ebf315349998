"""`python -m dalej`."""

from dalej.cli import main

main()
