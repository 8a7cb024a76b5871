"""Pages that need no server and no other file."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, select_autoescape

from companion.rules import Translate


def environment(translate: Translate = str) -> Environment:
    """Return what such a page is drawn with, from the templates of the served ones; ``translate``
    gives its language, English by default."""
    made = Environment(
        loader=PackageLoader("web"),
        autoescape=select_autoescape(),
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.install_gettext_callables(  # type: ignore[attr-defined]
        translate, lambda one, many, count: translate(one if count == 1 else many), newstyle=True
    )
    return made
