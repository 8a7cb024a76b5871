"""``settings``: what is set for this machine's tables, and where each value comes from."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from companion.commands.common import print_json
from companion.machine.settings_file import SETTINGS, SettingsFile, known
from companion.rules import BadInput
from companion.runtime.locations import data_folder


def run_settings(arguments: argparse.Namespace) -> int:
    """Change what is given a value, take out what is reset, and tell how it stands then."""
    file = SettingsFile(arguments.data or data_folder())
    words = [word.partition("=") for word in arguments.names]
    settings = [known(name) for name, _, _ in words]
    changes = {
        one.name: one.checked(one.meant(text))
        for one, (_, equals, text) in zip(settings, words, strict=True)
        if equals
    }
    if arguments.reset:
        if changes:
            raise BadInput("--reset takes names alone, without a value")
        changes = dict.fromkeys(one.name for one in settings or SETTINGS.values())
    if changes:
        file.change(changes)
    given = file.given()
    told = [
        {
            "name": one.name,
            "value": given.get(one.name, one.default),
            "from": str(file.path) if one.name in given else "default",
            "default": one.default,
            "about": one.about,
        }
        for one in settings or SETTINGS.values()
    ]
    if arguments.json:
        print_json({"file": str(file.path), "settings": told})
    else:
        tell(told, file.path)
    return 0


def tell(told: list[dict[str, Any]], path: Path) -> None:
    """Print settings for people."""
    for one in told:
        usual = one["from"] == "default"
        origin = "default" if usual else f"{path.name}; default {written(one['default'])}"
        print(f"{one['name']} = {written(one['value'])}  ({origin})\n      {one['about']}")
    print(f"The file is {path}; a flag of `companion play` goes before it.")


def written(value: Any) -> str:
    """Return a value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else f'"{value}"'
