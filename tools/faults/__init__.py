"""Faults while people play: processes killed and stopped, clocks set, databases full, closed, slow or away."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
