"""The review of a finished game.

    from gonfalon.review import review
    found = review(record, seats=[0], seed=0)

Each decision is judged by the knowledge of its seat. `judging/judging.py` judges one decision from its view alone.
`judging/luck.py` measures the luck of the cards.
`work.py` divides a game among processes, and `files.py` stores the result.
"""

from __future__ import annotations

from gonfalon.review.errors import ReviewError
from gonfalon.review.files import Review
from gonfalon.review.work import review

__all__ = ["Review", "ReviewError", "review"]
