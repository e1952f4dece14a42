"""The command `gonfalon lab whatif`: compares two variants of a game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial

from gonfalon.core.basics.errors import OptionError
from gonfalon.lab.data.tables import GameCollector
from gonfalon.lab.run.progress import ProgressReporter, format_time_left, print_result
from gonfalon.lab.studies import overrides
from gonfalon.lab.studies.overrides import Variant
from gonfalon.lab.studies.request import StudySettings
from gonfalon.lab.studies.whatif import report, whatif
from gonfalon.lab.studies.whatif.report import format_lines
from gonfalon.lab.studies.whatif.whatif import STOPPED, Progress, Question


def report_progress(watcher: ProgressReporter, players: str, progress: Progress) -> None:
    """Report the progress of a study."""
    effect = progress.effect
    end = f", to the limit of {progress.most:,} games" if progress.needed > progress.most else ""
    watcher.report(
        progress.games,
        f"{players}: {progress.games:,} games; {effect.what} {100 * effect.difference:+.1f} ±{100 * effect.half:.1f} "
        f"(valid at any time: ±{100 * effect.at_any_time:.1f}); {format_time_left(progress.left)}{end}",
    )


def main(name: str, before: Variant, after: Variant, players: Sequence[str], wanted: StudySettings) -> int:
    """Run one study for each level.

    Raises:
        OptionError: The variants do not differ, an option is unknown, or a path cannot be written.
        KeyboardInterrupt: A study was interrupted; raised after everything is written.
    """
    if not after.changes:
        raise OptionError("The two variants are identical. Change something with --set or --b; --a changes both.")
    wanted.check()
    questions = [Question(name, level, before, after, wanted.precision, wanted.most, wanted.seed) for level in players]
    # All questions are checked before the first game, so that a fault in the last one costs no hours.
    for question in questions:
        whatif.make_arms(question)
    if not wanted.as_json:
        print_result("\n".join(f"  {change}" for change in after.changes), "\n\n")
    names = overrides.map_names(name, before.options)
    answers, kept = [], GameCollector(wanted.parquet)
    watcher = wanted.watcher
    for question in questions:
        asked = (wanted.workers, wanted.folder, partial(report_progress, watcher, question.players), kept.add)
        answers.append(whatif.compare_variants(question, *asked))
        watcher.clear_line()
        if not wanted.as_json:
            print_result("\n".join(format_lines(answers[-1], names)), "\n\n")
        if answers[-1].ended == STOPPED:
            watcher.earlier = sum(answer.games for answer in answers)
            break
    if wanted.as_json:
        print_result(json.dumps([asdict(answer) for answer in answers], indent=1, ensure_ascii=False))
    kept.write()
    page, pictures = partial(report.render_page, answers, names), partial(report.write_pictures, answers, names)
    return wanted.write(page, pictures, answers[-1].ended == STOPPED)
