"""The report of a run: ratios, goals, a page with tables, a plot, and the table of the README."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any, Final

Found = dict[str, Any]
CPP: Final = "peers: loop openspiel spades"
STEPPED: Final = "peers: step openspiel spades"
UNO: Final = "peers: step rlcard uno"
PLAY_GOALS: Final = {"jinkei": 2.4e6, "factionwars": 2e6, "feint": 1e6, "generals": 0.5e6}


def find_rate(found: Found, key: str) -> float:
    """Return a job's rate; 0 if it was not measured."""
    return float(found["rates"].get(key, {}).get("rate", 0))


def find_ratio(found: Found, a: str, b: str) -> float:
    """Return the ratio of two jobs' rates; 0 if one is missing."""
    under = find_rate(found, b)
    return find_rate(found, a) / under if under else 0.0


def find_base(job: str) -> str:
    """Return the job of weiss_sim to which a job that steps many games is compared; an empty text for other jobs.

    It steps the same number of games, or 256 for jobs of single games.
    """
    return f"rows weiss_sim {1024 if job.endswith(' 1024') else 256}" if job.startswith("rows ") else ""


def compare_rows(kept: dict[str, list[float]]) -> dict[str, float]:
    """Return the ratio of a job to its base, the median over pairs of bursts one after the other."""
    pairs = zip(kept["rate"], kept.get("base", []), strict=False)
    ratios = [own / base for own, base in pairs if base]
    return {"ratio": round(median(ratios), 3)} if ratios else {}


def format_rows(found: Found) -> str:
    """Return the jobs that step many games as a table: one row for each job, one column for each number of games."""
    rows: dict[str, dict[str, str]] = {}
    for key, kept in found["rates"].items():
        name = key.partition(": rows ")[2]
        if name:
            job, _, count = name.rpartition(" ") if name[-1].isdigit() else (name, "", "one")
            rows.setdefault(job, {})[count] = f"{format_figure(kept['rate'])} ({kept.get('ratio', 0):.2f})"
    counts = list(dict.fromkeys(count for cells in rows.values() for count in cells))
    lines = [f"| | {' | '.join(f'{count} games' for count in counts)} |", "|---" + "|---:" * len(counts) + "|"]
    lines += [f"| {job} | {' | '.join(cells.get(count, '') for count in counts)} |" for job, cells in rows.items()]
    return "\n".join(lines).replace("one games", "one game")


def list_games(found: Found) -> list[str]:
    """Return Gonfalon's games in this run."""
    return sorted(key.removeprefix("compiled: play ") for key in found["rates"] if key.startswith("compiled: play "))


def list_goals(found: Found) -> list[tuple[str, float, float, str]]:
    """Return each goal: name, value, minimum (maximum for the units ms and s), and unit."""
    out: list[tuple[str, float, float, str]] = []
    names = [name for name in list_games(found) if name != "duel"]
    for name in names:
        play = f"compiled: play {name}"
        if name in PLAY_GOALS:
            out.append((f"{name}: random play", find_rate(found, play), PLAY_GOALS[name], "decisions/s"))
        out += [
            (f"{name}: compiled over plain, in play", find_ratio(found, play, f"plain: play {name}"), 4, "times"),
            (f"{name}: play over RLCard's uno", find_ratio(found, play, UNO), 10, "times"),
            (
                f"{name}: play over OpenSpiel's spades stepped from Python",
                find_ratio(found, play, STEPPED),
                1.5,
                "times",
            ),
            (f"{name}: masks of a seat", find_rate(found, f"compiled: mask {name}"), 2e5, "/s"),
        ]
    out += [
        (
            "jinkei: play over OpenSpiel's C++ loop on spades",
            find_ratio(found, "compiled: play jinkei", CPP),
            1,
            "times",
        ),
        ("feint: clones", find_rate(found, "compiled: clone feint"), 1e6, "/s"),
        ("jinkei: clones", find_rate(found, "compiled: clone jinkei"), 1e6, "/s"),
        ("feint: worlds", find_rate(found, "compiled: worlds feint"), 3e5, "/s"),
        ("feint: search", find_rate(found, "compiled: search feint"), 1e4, "iterations/s"),
        ("jinkei: search", find_rate(found, "compiled: search jinkei"), 4e4, "iterations/s"),
    ]
    start = found.get("start", {})
    if start:
        own = start["import gonfalon"]["clock"] - start["Python itself"]["clock"]
        out.append(("import gonfalon adds", own, 60, "ms"))
        out.append(("gonfalon games answers in", start["gonfalon games"]["clock"], 200, "ms"))
    together = found.get("parallel", {})
    if together:
        million = together["all"]["seconds"] * 1e6 / together["games"]
        out.append((f"a million random games of feint, {together['all']['workers']} processes", million, 180, "s"))
    return out


def is_met(value: float, goal: float, unit: str) -> bool:
    """Return whether a goal is reached. Times must be small, all other values large."""
    return value <= goal if unit in ("ms", "s") else value >= goal


def format_figure(value: float) -> str:
    """Return a number with about three significant digits."""
    if value >= 1e6:
        return f"{value / 1e6:.2f} M"
    if value >= 1e4:
        return f"{value / 1e3:.0f} k"
    if value >= 1e3:
        return f"{value / 1e3:.1f} k"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def format_text(found: Found) -> str:
    """Return the run for a terminal."""
    out = [f"{key:<52}{format_figure(kept['rate']):>10}/s" for key, kept in found["rates"].items()]
    out += [f"{key:<52} failed: {why}" for key, why in found["failed"].items()]
    out += [""]
    for what, value, goal, unit in list_goals(found):
        if value:
            mark = "ok  " if is_met(value, goal, unit) else "MISS"
            out.append(f"{mark} {what:<58}{format_figure(value):>10} {unit:<12} goal {format_figure(goal)}")
    return "\n".join(out)


def format_heading(found: Found) -> str:
    """Return machine and versions in a line."""
    versions = ", ".join(f"{name} {version}" for name, version in found["versions"].items() if name != "build")
    machine = found["machine"]
    return f"{found['date']}, {machine['cores']} cores of {machine['cpu']}, {found['python']}, {versions}"


def list_rows(found: Found) -> list[tuple[str, str, str, str]]:
    """Return the rates of random play: library, game, method, and decisions per second."""
    out = []
    for key, kept in found["rates"].items():
        where, _, job = key.partition(": ")
        what, _, rest = job.partition(" ")
        if where != "peers" and what == "play":
            name = "the duel, as an external game" if rest == "duel" else rest
            out.append((f"Gonfalon, {where}", name, "its own loop", kept["rate"]))
        elif where == "compiled" and what == "step":
            out.append(("Gonfalon, compiled", rest, "stepped from Python", kept["rate"]))
        elif where == "peers" and what in ("loop", "step", "raw"):
            library, _, game = rest.partition(" ")
            how = {"loop": "its C++ loop", "step": "stepped from Python", "raw": "stepped, without wrappers"}[what]
            game = "the duel, a Python game" if game == "python_gonfalon_duel" else game
            names = {"openspiel": "OpenSpiel", "rlcard": "RLCard", "pettingzoo": "PettingZoo"}
            out.append((names[library], game, how, kept["rate"]))
    out.sort(key=lambda row: -row[3])
    return [(who, game, how, format_figure(value)) for who, game, how, value in out]


def format_page(found: Found) -> str:
    """Return the run as a Markdown page."""
    lines = [f"# Benchmarks of {found['date']}", "", format_heading(found) + ".", ""]
    lines += [
        f"`make benchmarks`: medians of {found['rounds']} rounds of bursts of {found['seconds']} s, all jobs in turn,",
        "per second of CPU time, one core. Players' decisions count, those of chance do not. A burst that met a slower",
        "machine than usual, by the reference loop beside it, was taken again, twice at most.",
        "",
        f"![Random play]({found['date']}.svg)",
        "",
        "## Random play",
        "",
        "| | game | how | decisions/s |",
        "|---|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in list_rows(found)),
        "",
        "## Goals",
        "",
        "| | | goal | |",
        "|---|---|---|---|",
    ]
    for what, value, goal, unit in list_goals(found):
        said = "not measured" if not value else "reached" if is_met(value, goal, unit) else "**missed**"
        lines.append(f"| {what} | {format_figure(value)} {unit} | {format_figure(goal)} | {said} |")
    lines += [
        "",
        "## All jobs",
        "",
        "| job | per second | lowest | highest | reference loop |",
        "|---|---|---|---|---|",
    ]
    for key, kept in found["rates"].items():
        cells = [format_figure(kept[name]) for name in ("rate", "low", "high", "pace")]
        lines.append(f"| {key} | {' | '.join(cells)} |")
    for key, why in found["failed"].items():
        lines.append(f"| {key} | failed: {why} | | | |")
    lines += ["", "## Start", "", "| | CPU, ms | by the clock, ms |", "|---|---|---|"]
    lines += [f"| {name} | {kept['cpu']} | {kept['clock']} |" for name, kept in found["start"].items()]
    together = found["parallel"]
    lines += [
        "",
        "## Processes",
        "",
        f"{together['games']:,} random games of Feint take {together['1']['seconds']} s in one process and "
        f"{together['all']['seconds']} s in {together['all']['workers']}; "
        + ("the games are the same." if together["1"]["digest"] == together["all"]["digest"] else "THE GAMES DIFFER."),
    ]
    return "\n".join(lines) + "\n"


def format_readme_table(found: Found) -> str:
    """Return the table of the README."""
    picks = [
        *((f"Gonfalon, {name}", f"compiled: play {name}") for name in list_games(found) if name != "duel"),
        ("OpenSpiel, spades: its C++ loop", CPP),
        ("OpenSpiel, spades: stepped from Python", STEPPED),
        ("RLCard, uno", UNO),
        ("PettingZoo, Leduc hold'em", "peers: step pettingzoo leduc_holdem_v4"),
        ("the duel, in Gonfalon (an external game, not compiled)", "compiled: play duel"),
        ("the same duel, a Python game in OpenSpiel", "peers: step openspiel python_gonfalon_duel"),
    ]
    shown = [(label, find_rate(found, key)) for label, key in picks if find_rate(found, key)]
    lines = ["| Random play | decisions a second |", "|---|---|"]
    lines += [f"| {label} | {format_figure(value)} |" for label, value in sorted(shown, key=lambda row: -row[1])]
    return "\n".join(lines)


def write_plot(found: Found, path: Path) -> None:
    """Write the rates of random play as bars on a logarithmic scale."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "gonfalon"
    mpl.rcParams["svg.fonttype"] = "none"
    from matplotlib import pyplot

    colours = {"plain": "#b9a26b", "compiled": "#8c2f39", "peers": "#8a949e"}
    bars = []
    for key, kept in found["rates"].items():
        where, _, job = key.partition(": ")
        what, _, rest = job.partition(" ")
        if what not in ("play", "loop", "step", "raw") or (where == "plain" and what == "step"):
            continue
        if where == "peers":
            label = rest + {"loop": ", C++ loop", "raw": ", raw"}.get(what, "")
        else:
            label = f"Gonfalon {rest} ({where}{', stepped' if what == 'step' else ''})"
        bars.append((kept["rate"], label, colours[where]))
    bars.sort()
    figure_, axes = pyplot.subplots(figsize=(9, 0.26 * len(bars) + 1))
    axes.barh([label for _, label, _ in bars], [value for value, _, _ in bars], color=[colour for _, _, colour in bars])
    axes.set_xscale("log")
    axes.set_xlabel("decisions a second of CPU time, random play")
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(y=0.01)
    figure_.tight_layout()
    figure_.savefig(path, metadata={"Date": None})
