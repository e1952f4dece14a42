"""The command `gonfalon lab whatif`: asks, says how far it is, tells."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial

from gonfalon.core.basics.errors import OptionError
from gonfalon.lab.data.tables import Kept
from gonfalon.lab.run.progress import Watcher, left, tell
from gonfalon.lab.studies import overrides
from gonfalon.lab.studies.overrides import Variant
from gonfalon.lab.studies.request import Wanted
from gonfalon.lab.studies.whatif import report, whatif
from gonfalon.lab.studies.whatif.report import lines
from gonfalon.lab.studies.whatif.whatif import STOPPED, Progress, Question


def say(watcher: Watcher, players: str, progress: Progress) -> None:
    """Say how far a study is."""
    effect = progress.effect
    end = f", to the limit of {progress.most:,} games" if progress.needed > progress.most else ""
    watcher.say(
        progress.games,
        f"{players}: {progress.games:,} games; {effect.what} {100 * effect.difference:+.1f} ±{100 * effect.half:.1f} "
        f"(whenever one stops: ±{100 * effect.at_any_time:.1f}); {left(progress.left)}{end}",
    )


def main(name: str, before: Variant, after: Variant, players: Sequence[str], wanted: Wanted) -> int:
    """The command `gonfalon lab whatif`: one study for each kind of players. Raises KeyboardInterrupt in the end where
    somebody has stopped it."""
    if not after.changes:
        raise OptionError(
            "Nothing differs between the two, so there is nothing to find out; --set and --b say what changes, --a "
            "what both have."
        )
    wanted.check()
    questions = [Question(name, level, before, after, wanted.precision, wanted.most, wanted.seed) for level in players]
    for question in questions:
        whatif.arms_of(question)
    if not wanted.as_json:
        tell("\n".join(f"  {change}" for change in after.changes), "\n\n")
    names = overrides.names_of(name, before.options)
    answers, kept = [], Kept(wanted.parquet)
    watcher = wanted.watcher
    for question in questions:
        asked = (wanted.workers, wanted.folder, partial(say, watcher, question.players), kept.add)
        answers.append(whatif.ask(question, *asked))
        watcher.done()
        if not wanted.as_json:
            tell("\n".join(lines(answers[-1], names)), "\n\n")
        if answers[-1].ended == STOPPED:
            watcher.earlier = sum(answer.games for answer in answers)
            break
    if wanted.as_json:
        tell(json.dumps([asdict(answer) for answer in answers], indent=1, ensure_ascii=False))
    kept.write()
    page, pictures = partial(report.page, answers, names), partial(report.pictures, answers, names)
    return wanted.write(page, pictures, answers[-1].ended == STOPPED)
