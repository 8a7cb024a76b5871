"""The Debian package: what it holds, what it needs, and what its scripts do to the games."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.checks.lacking import lacking
from tests.companion.test_service_unit import walled_in

ROOT = Path(__file__).parents[2]
SCRIPTS = ("DEBIAN/postinst", "DEBIAN/prerm", "DEBIAN/postrm", "usr/bin/companion")


@pytest.fixture(scope="module")
def deb() -> Any:
    """The script, as a module."""
    spec = importlib.util.spec_from_file_location("deb", ROOT / "tools" / "deb.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tree(deb: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package's files without its library."""
    folder = tmp_path_factory.mktemp("deb") / "tree"
    deb.files(folder, "0.2.0")
    return folder


def needed(name: str, known: set[str]) -> set[str]:
    """Return ``name`` and all that it needs on Linux with the oldest Python, in small letters."""
    name = name.lower().replace("_", "-")
    if name in known:
        return known
    known.add(name)
    for line in importlib.metadata.requires(name) or ():
        # What is only for older Pythons, other systems or extras is not needed here.
        if not re.search(r"extra ==|python_version <|platform_system|os_name", line):
            found = re.match(r"[\w.-]+", line)
            assert found is not None
            needed(found[0], known)
    return known


def test_all_that_the_companion_needs_is_in_the_package_or_in_debian(deb: Any) -> None:
    brought = {re.split(r"[<>=]", line)[0] for line in deb.requirements()}
    there = needed("tabletop-companion", set()) - {"tabletop-companion"}
    assert there == brought | set(deb.SYSTEM)
    control = deb.CONTROL
    assert [package for package in deb.SYSTEM.values() if package not in control] == []


def test_the_control_file_is_whole(tree: Path) -> None:
    text = (tree / "DEBIAN/control").read_text(encoding="utf-8")
    fields = dict(re.findall(r"(?m)^([A-Z][\w-]*): (.+)$", text))
    assert fields["Package"] == "tabletop-companion"
    assert fields["Version"] == "0.2.0"
    assert fields["Architecture"] == "all"
    assert len(fields["Description"]) < 60
    assert int(fields["Installed-Size"]) > 0
    description = text.partition("Description:")[2].splitlines()[1:]
    assert [line for line in description if not line.startswith(" ") or len(line) > 80] == []


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_can_be_run_by_a_plain_shell(tree: Path, script: str) -> None:
    path = tree / script
    assert path.stat().st_mode & 0o777 == 0o755
    assert subprocess.run(["/bin/sh", "-n", str(path)], check=False).returncode == 0
    assert "{" not in re.sub(r"\$\{[^}]*\}|\{\} \+", "", path.read_text(encoding="utf-8"))


def test_removing_keeps_the_games_and_purging_deletes_them(tree: Path) -> None:
    removed = (tree / "DEBIAN/prerm").read_text(encoding="utf-8")
    purged = (tree / "DEBIAN/postrm").read_text(encoding="utf-8")
    assert "/var/lib/companion" not in removed
    purge = purged.partition("= purge ]")[2].partition("\nfi")[0]
    assert "rm -rf /var/lib/companion" in purge
    assert purged.count("rm -rf") == 1


def test_the_defaults_that_people_change_are_kept_by_an_update(tree: Path) -> None:
    kept = (tree / "DEBIAN/conffiles").read_text(encoding="utf-8")
    assert kept == "/etc/default/companion\n"
    assert (tree / "etc/default/companion").is_file()


def test_the_first_start_is_walled_in_though_it_is_roots(deb: Any, tree: Path) -> None:
    path = tree / "lib/systemd/system/companion-first-start.service"
    assert walled_in(path) == ""
    assert "ReadWritePaths=/var/lib/companion /etc/default" in path.read_text(encoding="utf-8")


def test_the_unit_plays_what_the_defaults_say_as_its_own_user(tree: Path) -> None:
    unit = (tree / "lib/systemd/system/companion.service").read_text(encoding="utf-8")
    assert "User=companion\n" in unit
    assert "EnvironmentFile=/etc/default/companion\n" in unit
    assert (
        "ExecStart=/usr/bin/companion play $GAME "
        "--journal /var/lib/companion/${GAME}.sqlite3 $OPTIONS\n"
    ) in unit
    # A group that a machine has not would keep the service from starting.
    assert "SupplementaryGroups" not in unit
    defaults = (tree / "etc/default/companion").read_text(encoding="utf-8")
    assert {"GAME=victorus", "OPTIONS="} <= set(defaults.splitlines())


def test_a_later_checkout_is_a_later_version_for_apt(
    deb: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    monkeypatch.setattr(deb, "ROOT", tmp_path)
    plain: str = deb.usual_version()
    assert plain == importlib.metadata.version("tabletop-companion")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=x", "-c", "user.email=x@y.example"]
    subprocess.run([*git, "init", "-q"], check=True)
    for time in ("2026-01-02T23:30:00-0100", "2026-01-03T01:00:00+0000"):
        monkeypatch.setenv("GIT_COMMITTER_DATE", time)
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    assert deb.usual_version() == f"{plain}+20260103010000"


def test_a_version_that_is_none_is_told(
    deb: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["deb.py", "--version", "new"])
    with pytest.raises(SystemExit):
        deb.main()
    assert "begins with a digit" in capsys.readouterr().err


def test_dpkg_takes_the_files(tree: Path, tmp_path: Path) -> None:
    if shutil.which("dpkg-deb") is None:
        lacking("there is no dpkg-deb")
    package = tmp_path / "one.deb"
    command = ["dpkg-deb", "--build", "--root-owner-group", str(tree), str(package)]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0
    told = subprocess.run(
        ["dpkg-deb", "--contents", str(package)], check=True, capture_output=True, text=True
    ).stdout
    for path in ("usr/bin/companion", "etc/default/companion", "system/companion.service"):
        assert path in told
    assert "root/root" in told
