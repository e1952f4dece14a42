"""A task with float rows, which some learners need, for programs that take only the id of an environment."""

from __future__ import annotations

from typing import Any

import gymnasium


def make_table(**settings: Any) -> gymnasium.Env[Any, Any]:
    """Return the environment."""
    return gymnasium.make("gonfalon.bridges.gymnasium:gonfalon/jinkei-small-v1", dtype="float32", **settings)


gymnasium.register("FloatRows-v0", make_table)
