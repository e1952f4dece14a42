"""The options of a game: what is chosen before it starts."""

from __future__ import annotations

from typing import Any, NamedTuple

from gonfalon.core.errors import OptionError

# `import gonfalon` is kept light (tests/test_imports.py): no dataclasses, which bring `inspect`.


Options = dict[str, Any]
"""Options by their names; what each may hold says its `Option`."""


class Option(NamedTuple):
    """One option of a game. `choices` of (value, label); none means free text or a number.

    `public` options appear on the web page; others (files, test settings) do not.
    """

    name: str
    default: object
    label: str
    help: str
    choices: tuple[tuple[object, str], ...] = ()
    public: bool = True
    file: bool = False
    """The value is the content of a file (a dict), or the Path to read it from."""

    def read(self, value: object) -> object:
        """The value in its proper type, from itself or from a text. Raises OptionError."""
        if self.choices:
            for choice, _ in self.choices:
                if value == choice or str(value).strip().lower() == str(choice).lower():
                    return choice
            allowed = ", ".join(str(choice).lower() for choice, _ in self.choices)
            raise OptionError(f"Option {self.name} takes one of {allowed}; {value!r} is none of them.")
        if self.file:
            from pathlib import Path

            # A text is refused: an option out of a record or a web form must not name a file to read.
            if value is None or isinstance(value, (dict, Path)):
                return value
            raise OptionError(f"Option {self.name} takes a file's content or a Path, not {value!r}.")
        if isinstance(self.default, bool):
            if isinstance(value, bool):
                return value
            word = str(value).strip().lower()
            if word in ("true", "yes", "on", "1", "false", "no", "off", "0"):
                return word in ("true", "yes", "on", "1")
            raise OptionError(f"Option {self.name} takes yes or no, not {value!r}.")
        if isinstance(self.default, int):
            try:
                return int(str(value))
            except ValueError:
                raise OptionError(f"Option {self.name} takes a whole number, not {value!r}.") from None
        if isinstance(self.default, tuple):
            if isinstance(value, str):
                return tuple(part.strip() for part in value.split(","))
            if isinstance(value, (list, tuple)):
                return tuple(value)
            raise OptionError(f"Option {self.name} takes a list, not {value!r}.")
        return value
