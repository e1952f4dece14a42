"""Running a server: the page's and its files' references exist and match the program's options."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, cast

import pytest
import yaml
from starlette.routing import Route

from gonfalon import __version__, cli
from gonfalon.table.store.admin_rows import ServerState
from gonfalon.web.http.metrics import Metrics
from gonfalon.web.server.application import make_routes
from gonfalon.web.shared.guard import name_handler
from gonfalon.web.shared.renderer import Renderer
from tests.docs.examples import ROOT, blocks

if TYPE_CHECKING:
    from gonfalon.table import Tables

DEPLOY: Final = ROOT / "deploy"
PAGE: Final = ROOT / "docs" / "pages" / "howto" / "run-your-own.md"
FILES: Final = sorted(path for path in DEPLOY.iterdir() if path.name != ".env")
GONFALON: Final = "/opt/gonfalon/bin/gonfalon"
SET: Final = {
    "GONFALON_DATABASE": "sqlite:////var/lib/gonfalon/tables.db",
    "GONFALON_DOMAIN": "club.example",
    "GONFALON_OPTIONS": "--unplayed 7 --metrics 9100",
    "GONFALON_URL": "https://club.example",
    "PGPASSWORD": "secret",
}


def fill_variables(text: str) -> str:
    """Replace variables by the values of the environment."""
    return re.sub(r"\$(?:\{(\w+)[^}]*\}|(\w+))", lambda found: SET[found[1] or found[2]], text)


def parsed(words: list[str]) -> Namespace:
    return cli.build_parser().parse_args(words)


def unit(name: str) -> dict[str, list[str]]:
    """Return the settings of a unit."""
    found: dict[str, list[str]] = {}
    for line in (DEPLOY / name).read_text("utf-8").splitlines():
        if line and line[0] not in "#[":
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def compose() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    return found


def lines() -> list[str]:
    """Return the commands of the page."""
    return [line for block in blocks(PAGE, "bash") for line in block.text.splitlines()]


def test_all_files_are_used_and_all_that_are_named_exist() -> None:
    text = "\n".join([*lines(), PAGE.read_text("utf-8"), *(path.read_text("utf-8") for path in FILES)])
    named = set(re.findall(r"deploy/([\w.-]+\w)", text))
    assert named == {path.name for path in FILES}
    for lock in re.findall(r"requirements[\w-]*\.lock", text):
        assert (ROOT / lock).is_file()


def test_each_command_of_the_page_is_one_of_ours_or_of_debian() -> None:
    known = {"apt-get", "cd", "cp", "curl", "docker", "docker-compose", "echo", "install", "mkdir", "mv", "printf"}
    known |= {"python3", "rm", "runuser", "systemctl", "useradd", "/opt/gonfalon/bin/pip", GONFALON}
    tried = 0
    for line in lines():
        words = shlex.split(line.removeprefix("GONFALON_COMPILE=1 "))
        assert words[0] in known, line
        for number, word in enumerate(words):
            if word in (GONFALON, "gonfalon") and words[number - 1 : number] in ([], ["--"], ["server"]):
                arguments = words[number + 1 :]
                if "--help" not in arguments and "--version" not in arguments:
                    parsed(arguments)
                tried += 1
    assert tried == 8


def test_the_unit_starts_the_server() -> None:
    settings = unit("gonfalon.service")
    (start,) = settings["ExecStart"]
    program, *arguments = shlex.split(fill_variables(start))
    assert program == GONFALON
    args = parsed(arguments)
    assert (args.port, args.base_url, args.trusted_proxy) == (8000, "https://club.example", ["127.0.0.1"])
    assert (args.database, args.unplayed) == (SET["GONFALON_DATABASE"], 7)
    assert settings["User"] == ["gonfalon"]
    assert f"GONFALON_DATABASE={SET['GONFALON_DATABASE']}" in settings["Environment"]


def test_the_unit_makes_backups() -> None:
    (start,) = unit("gonfalon-backup.service")["ExecStart"]
    shell, option, script = shlex.split(start)
    assert (shell, option) == ("/bin/sh", "-c")
    words = shlex.split(fill_variables(re.sub(r"\$\([^)]*\)", "2026-11-25", script)))
    assert words[:2] == ["exec", GONFALON]
    args = parsed(words[2:])
    assert (args.file, args.database) == (Path("/var/lib/gonfalon/backups/2026-11-25.db"), SET["GONFALON_DATABASE"])


def test_services_are_pinned_and_may_do_no_more_than_they_must() -> None:
    services = compose()["services"]
    assert sorted(services) == ["backup", "database", "proxy", "server"]
    for name, service in services.items():
        assert re.search(r":\d+\.\d+", service["image"]), name
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert set(service["networks"]) <= set(compose()["networks"])
        for volume in service["volumes"]:
            source = volume.split(":")[0]
            assert (DEPLOY / source).is_file() if source.startswith(".") else source in compose()["volumes"]
    assert services["server"]["image"] == services["backup"]["image"] == f"gonfalon:{__version__}"
    assert "ports" not in services["server"]
    assert "ports" not in services["database"]
    assert (DEPLOY / services["server"]["build"]["context"] / services["server"]["build"]["dockerfile"]).is_file()


def test_the_composed_server_takes_its_options_and_trusts_its_own_proxy() -> None:
    service = compose()["services"]["server"]
    args = parsed([fill_variables(word) for word in service["command"]])
    assert (args.database, args.workers) == ("postgresql://gonfalon@database/gonfalon", 2)
    assert args.base_url == "https://club.example"
    assert args.trusted_proxy == [compose()["networks"]["front"]["ipam"]["config"][0]["subnet"]]
    assert "secret" not in str(args)
    assert f"server:{args.port}" in (DEPLOY / "Caddyfile").read_text("utf-8")


def test_the_backups_are_written_daily_and_watched() -> None:
    service, image = compose()["services"]["backup"], (DEPLOY / "Containerfile").read_text("utf-8")
    (folder,) = [volume.split(":")[1] for volume in service["volumes"]]
    assert f"--owner gonfalon --group gonfalon --mode 700 {folder}" in image
    (script,) = service["command"]
    assert subprocess.run(["sh", "-n", "-c", script.replace("$$", "$")], check=False).returncode == 0
    (words,) = re.findall(r"gonfalon (backup .*?) &&", script.replace("\n", " "))
    args = parsed(shlex.split(re.sub(r"\$\$\([^)]*\)", "today", words)))
    assert args.file == Path(folder) / "today.db"
    assert (
        args.database == parsed([fill_variables(word) for word in compose()["services"]["server"]["command"]]).database
    )
    assert folder in service["healthcheck"]["test"][1]
    assert unit("gonfalon-backup.timer")["OnCalendar"] == ["04:15"]


def test_each_alert_names_metrics_and_handlers_that_exist() -> None:
    metrics = Metrics()
    bots, state = SimpleNamespace(queue=SimpleNamespace(waiting=0)), ServerState()
    store = SimpleNamespace(free_bytes=lambda: 1.0)
    metrics.follow(cast("Tables", SimpleNamespace(live_count=1, bots=bots, state=state, store=store)))
    metrics.answered("lobby.show_games", 200, 0.1)
    samples = {sample.name: sample.labels for metric in metrics.registry.collect() for sample in metric.samples}
    routes = [route for route in make_routes(Renderer({})) if isinstance(route, Route)]
    handlers = {name_handler({"endpoint": route.endpoint}) for route in routes}
    (group,) = yaml.safe_load((DEPLOY / "alerts.yaml").read_text("utf-8"))["groups"]
    assert len(group["rules"]) == 8
    for rule in group["rules"]:
        assert {"alert", "expr", "for", "labels", "annotations"} == set(rule)
        assert rule["annotations"]["summary"].endswith((".", "?"))
        names = re.findall(r"gonfalon_\w+", rule["expr"])
        assert names or rule["expr"].startswith("up{")
        assert set(names) <= set(samples), rule["alert"]
        for name, label in re.findall(r"(gonfalon_\w+)\{(\w+)=", rule["expr"]):
            assert label in samples[name], rule["alert"]
        for wanted in re.findall(r'handler=~"([^"]+)"', rule["expr"]):
            assert set(wanted.split("|")) <= handlers


def test_the_container_runs_the_server_without_privileges() -> None:
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    bases = re.findall(r"^FROM (\S+)", text, re.MULTILINE)
    (base,) = set(bases) - {"build"}
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-bookworm", base)
    assert "/opt/gonfalon/share/gonfalon/docs" in text  # where `web/server/manual.py` looks in that environment
    (user,) = re.findall(r"^USER (\d+):\d+$", text, re.MULTILINE)
    assert int(user) > 0
    for names in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE):
        for name in names.split():
            assert (ROOT / name).exists()
    (program,) = re.findall(r"^ENTRYPOINT (.+)$", text, re.MULTILINE)
    (words,) = re.findall(r"^CMD (.+)$", text, re.MULTILINE)
    assert yaml.safe_load(program) == ["gonfalon"]
    assert parsed(yaml.safe_load(words)).host == "0.0.0.0"
    assert "/readyz" in text


@pytest.mark.parametrize("code", [200, 503])
def test_the_container_is_healthy_when_the_server_is_ready(code: int) -> None:
    """The test runs the file's own command against a server with that answer."""
    (check,) = re.findall(r"HEALTHCHECK [^[]+(\[.+\])", (DEPLOY / "Containerfile").read_text("utf-8"))
    _, option, script = yaml.safe_load(check)
    answer = (
        "import http.server as h, threading\n"
        "class Answer(h.BaseHTTPRequestHandler):\n"
        "    def do_GET(self): self.send_response(CODE if self.path == '/readyz' else 404); self.end_headers()\n"
        "    def log_message(self, *_): pass\n"
        "server = h.HTTPServer(('127.0.0.1', 0), Answer)\n"
        "threading.Thread(target=server.serve_forever, daemon=True).start()\n"
    ).replace("CODE", str(code))
    there = script.replace("'http://127.0.0.1:8000/readyz'", "f'http://127.0.0.1:{server.server_port}/readyz'")
    assert there != script
    done = subprocess.run([sys.executable, option, f"{answer}{there}"], capture_output=True, check=False)
    assert (done.returncode == 0) is (code == 200)
