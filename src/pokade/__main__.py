"""`python -m pokade` is the command `pokade`."""

from pokade.cli import main

if __name__ == "__main__":
    main()
