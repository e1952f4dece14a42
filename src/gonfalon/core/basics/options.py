"""The options of a game, which are chosen before it starts."""

from __future__ import annotations

from typing import Any, NamedTuple

from gonfalon.core.basics.errors import OptionError

# `import gonfalon` must be fast (tests/test_imports.py), so no dataclasses here: they import `inspect`.


Options = dict[str, Any]
"""Options by their names. Each `Option` defines the valid values."""


class Option(NamedTuple):
    """An option of a game."""

    name: str
    """The name for programs and command lines."""
    default: object
    """The default. Its type defines the valid values: a boolean, a whole number, a tuple, or a text."""
    label: str
    """The name on pages."""
    help: str
    """A sentence for pages and `--help`."""
    choices: tuple[tuple[object, str], ...] = ()
    """The valid values, each with its label; empty for a number or a text."""
    public: bool = True
    """Whether the form of a new table shows it."""
    file: bool = False
    """Whether the value is the content of a card file (a dict), or the Path of one."""
    least: int | None = None
    """The smallest valid number."""
    most: int | None = None
    """The largest valid number. Set both bounds, because a client can send any number."""
    added: bool = False
    """Whether the option was added after records of the game were stored. Records leave it out while it has its
    default, so that hashes of older records still match."""

    def read(self, value: object) -> object:
        """Return a value in its proper type.

        Args:
            value: A value, or its text from a command line or a form.

        Raises:
            OptionError: The value is not valid.
        """
        if self.choices:
            for choice, _ in self.choices:
                if value == choice or str(value).strip().lower() == str(choice).lower():
                    return choice
            allowed = ", ".join(str(choice).lower() for choice, _ in self.choices)
            raise OptionError(f"Option {self.name} must be one of {allowed}, not {value!r}.")
        if self.file:
            from pathlib import Path

            # A text is refused: an option out of a record or a web form must not name a file to read.
            if value is None or isinstance(value, (dict, Path)):
                return value
            raise OptionError(f"Option {self.name} must be the content of a file or a Path, not {value!r}.")
        # This test comes before the one for int, because a bool is an int.
        if isinstance(self.default, bool):
            if isinstance(value, bool):
                return value
            word = str(value).strip().lower()
            if word in ("true", "yes", "on", "1", "false", "no", "off", "0"):
                return word in ("true", "yes", "on", "1")
            raise OptionError(f"Option {self.name} must be yes or no, not {value!r}.")
        if isinstance(self.default, int):
            return self.number(value)
        if isinstance(self.default, tuple):
            if isinstance(value, str):
                return tuple(part.strip() for part in value.split(","))
            if isinstance(value, (list, tuple)):
                return tuple(value)
            raise OptionError(f"Option {self.name} must be a list, not {value!r}.")
        return value

    def number(self, value: object) -> int:
        """Return a whole number within the bounds. Raises OptionError."""
        try:
            # Converted through text, because `int` would silently cut 2.5 to 2.
            found = int(str(value))
        except ValueError:
            raise OptionError(f"Option {self.name} must be a whole number, not {value!r}.") from None
        if (self.least is not None and found < self.least) or (self.most is not None and found > self.most):
            raise OptionError(f"Option {self.name} must be a number {self.bounds()}, not {str(found)[:40]}.")
        return found

    def bounds(self) -> str:
        """Return `from 1 to 9`, `of at least 1` or `up to 9`; empty if any number is valid."""
        if self.most is None:
            return "" if self.least is None else f"of at least {self.least}"
        return f"up to {self.most}" if self.least is None else f"from {self.least} to {self.most}"
