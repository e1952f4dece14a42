"""The review of a finished game: its decisions, each judged by what its seat could know, its cards, its story.

    from gonfalon.review import review
    found = review(record, seats=[0], seed=0)

`judging/judging.py` judges one decision from its view alone; `judging/luck.py` measures the luck of the cards;
`judging/hindsight.py` knows everything, and is never mixed in. `work.py` shares a game out among processes, and
`files.py` stores the result.
"""

from __future__ import annotations

from gonfalon.review.errors import ReviewError
from gonfalon.review.files import Review
from gonfalon.review.work import review

__all__ = ["Review", "ReviewError", "review"]
