"""The command line: ``mge`` and ``python -m mge``."""

from __future__ import annotations

import sys

from mge import _mge


def main() -> int:
    """Runs the command line with the arguments of this process."""
    sys.stdout.flush()
    return _mge.run(["mge", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
