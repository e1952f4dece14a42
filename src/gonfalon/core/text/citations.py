"""The reasons of refusals, with the rules behind them."""

from __future__ import annotations


class Reason(str):
    """The sentence of a refusal, with a tag for the place it concerns and the rule behind it.

    A reason is a text, so a game may return any sentence instead of one.

    Attributes:
        tag: Two or three words, such as `No room`; may be empty.
        rule: A ruling or a section of the rulebook, such as `ruling 18`, `rulings 9, 44` or `Main Phase`; may be empty.
    """

    tag: str
    rule: str

    def __new__(cls, sentence: str, tag: str = "", rule: str = "") -> Reason:
        reason = super().__new__(cls, sentence)
        reason.tag = tag
        reason.rule = rule
        return reason

    def __repr__(self) -> str:
        return f"Reason({self.sentence!r}, {self.tag!r}, {self.rule!r})"

    @property
    def sentence(self) -> str:
        """The sentence as a plain text, without the rule."""
        return str(self)


def cite_rule(reason: str) -> str:
    """Return a reason with its rule in parentheses, as in "Location 4 is full (ruling 20)."."""
    if isinstance(reason, Reason) and reason.rule:
        return f"{reason.sentence.removesuffix('.')} ({reason.rule})."
    return reason
