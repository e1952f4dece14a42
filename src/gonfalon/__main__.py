"""`python -m gonfalon`."""

from __future__ import annotations

import sys

from gonfalon.cli import main

sys.exit(main())
