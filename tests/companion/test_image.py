"""The recipe of an image and the container of a table: dry-run as far as that goes here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from companion.commands.first_start import PASSWORD
from companion.commands.parser import parse

ROOT = Path(__file__).parents[2]
STAGE = ROOT / "image" / "stage-companion"
SCRIPTS = sorted([ROOT / "image" / "build.sh", ROOT / "image" / "config", *STAGE.rglob("*.sh")])
ON_CHROOT = 'on_chroot() { cat >> "$ROOTFS_DIR/chroot"; }; export -f on_chroot\n'


def bash(script, folder, **said):
    """Run a script as pi-gen does: in its own folder, with its functions."""
    env = {"PATH": os.environ["PATH"], **said}
    return subprocess.run(
        ["bash", "-c", f"{ON_CHROOT}{script}"], cwd=folder, env=env, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_scripts_are_sound(script):
    assert bash(f"bash -n {script}", ROOT).returncode == 0
    assert script.name == "config" or os.access(script, os.X_OK)


@pytest.fixture
def stage(tmp_path):
    """The stage with a package in it, and a root file system as the package leaves it."""
    folder = tmp_path / "stage"
    shutil.copytree(STAGE, folder)
    (folder / "00-install" / "files" / "tabletop-companion_0.2.0_all.deb").write_text("a package")
    (tmp_path / "rootfs" / "root").mkdir(parents=True)
    (tmp_path / "rootfs" / "etc" / "default").mkdir(parents=True)
    (tmp_path / "rootfs/etc/default/companion").write_text("GAME=victorus\nOPTIONS=\n")
    return folder / "00-install", tmp_path / "rootfs"


def test_the_package_is_installed_and_its_services_begin(stage):
    folder, rootfs = stage
    done = bash("./01-run.sh", folder, ROOTFS_DIR=str(rootfs))
    assert (done.returncode, done.stderr) == (0, "")
    asked = (rootfs / "chroot").read_text()
    assert (
        'apt-get install -y --no-install-recommends "/root/tabletop-companion_0.2.0_all.deb"'
        in asked
    )
    assert "systemctl enable companion.service companion-first-start.service" in asked
    told = (rootfs / "etc/default/companion").read_text()
    assert told == "GAME=victorus\nOPTIONS=--port 80\n"
    parse(["play", "victorus", *told.rpartition("OPTIONS=")[2].split()])
    assert not (rootfs / "etc/default/companion-first-start").exists()


def test_the_first_starts_network_has_the_labels_password(stage):
    folder, rootfs = stage
    bash("./01-run.sh", folder, ROOTFS_DIR=str(rootfs), SETUP_PASSWORD="eight-letters")
    told = rootfs / "etc/default/companion-first-start"
    assert told.read_text() == f"{PASSWORD}=eight-letters\n"
    assert told.stat().st_mode & 0o777 == 0o600


def test_what_has_to_be_said_is_asked_for_before_anything_is_built():
    all_but_pi_gen = {"COUNTRY": "IT", "PASSWORD": "a password", "SETUP_PASSWORD": "another1"}
    for said, missing in (
        ({}, "COUNTRY"), ({"COUNTRY": "IT"}, "PASSWORD"), (all_but_pi_gen, "/nowhere")
    ):  # fmt: skip
        done = bash("image/build.sh --dry-run /nowhere", ROOT, **said)
        assert done.returncode != 0
        assert missing in done.stderr


def test_the_container_of_a_table_is_written_soundly():
    text = (ROOT / "Dockerfile.table").read_text()
    steps = [line.split()[0] for line in re.sub(r"\\\n", " ", text).splitlines()
             if line and not line.startswith("#")]  # fmt: skip
    assert steps[0] == "FROM"
    assert set(steps) == {
        "FROM",
        "RUN",
        "COPY",
        "USER",
        "ENV",
        "VOLUME",
        "EXPOSE",
        "ENTRYPOINT",
        "CMD",
    }
    extras = re.search(r"/source\[([\w,]+)\]", text)[1].split(",")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(extras) <= set(project["optional-dependencies"])
    words = re.findall(r"companion-table (.+)", text)
    parse(["play", *words[-1].split()])
    parse(["play", *re.findall(r'"([^"]+)"', re.search(r"CMD (.+)", text)[1])])
