"""The process of the ``companion`` command, and of ``python -m companion``."""

import gc
import sys


def main() -> int:
    """Run the command with all that was imported left out of the search for garbage, from now on:
    it stays, and to look through it again and again takes a tenth of a start."""
    gc.disable()
    from companion.cli import main

    return main()


if __name__ == "__main__":
    sys.exit(main())
