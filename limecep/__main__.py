"""`python -m limecep` is the command `limecep`."""

import sys

from limecep.cli import main

sys.exit(main())
