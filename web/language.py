"""Languages of the pages: which one a phone wants, and the catalogs behind them.

English is what the source says. The others come from ``companion/languages/LANGUAGE.po``, then from
the catalogs of packages that bring games; a sentence that all of them lack stays English.
"""

from __future__ import annotations

import logging
from functools import cache, lru_cache, partial
from gettext import GNUTranslations, NullTranslations
from importlib import resources
from importlib.resources.abc import Traversable
from io import BytesIO
from typing import Any

from flask import Flask, Request, g, has_request_context, request
from markupsafe import Markup

from companion.rules import (
    BadInput,
    Game,
    Introduction,
    RuleBook,
    Text,
    Tongue,
    Translate,
    brought,
    called,
    introduction_of,
    package_of,
    rule_book,
    tell,
)
from web.compiled import kept

COOKIE = "companion_language"
NAMES = {"en": "English", "it": "Italiano", "fr": "Français", "es": "Español"}
"""Every language by its code, in its own words."""
_ENGLISH = NullTranslations()
_log = logging.getLogger(__name__)


def languages() -> tuple[str, ...]:
    """Return the codes of the languages, English first."""
    return tuple(NAMES)


def pick(asked: Request) -> str:
    """Return the language for a request: the one chosen on the phone, else the first language of
    its browser that we have, else English."""
    chosen = asked.cookies.get(COOKIE, "")
    if chosen in NAMES:
        return chosen
    return asked.accept_languages.best_match(languages()) or "en"


def current() -> str:
    """Return the language of the request that is being answered, English outside of one."""
    if not has_request_context():
        return "en"
    language: str | None = g.get("language")
    if language is None:
        language = g.language = pick(request)
    return language


def english(sentence: str) -> str:
    """Return ``sentence`` as the source has it: the translation into English."""
    return sentence


def translator(language: str) -> Translate:
    """Return the function that translates sentences into ``language``; into English for an unknown
    one."""
    catalog = _catalog(language)
    if catalog is None:
        return english
    return Tongue(language, catalog.gettext)


def in_words(value: Any, translate: Translate) -> Any:
    """Return JSON values in which every sentence made by ``say`` is translated; all other texts
    (spots, tokens, names) stay as they are."""
    if translate is english:
        return value
    if isinstance(value, Text):
        return value.told(translate)
    if isinstance(value, dict):
        return {name: in_words(inner, translate) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [in_words(inner, translate) for inner in value]
    return value


@cache
def rules_in(game: Game[Any], language: str) -> RuleBook:
    """Return the rule texts of ``game`` in ``language``, in English where there are none."""
    if language == "en":
        return game.rules
    try:
        book = rule_book(package_of(game), language)
        len(book)  # It is read when somebody looks into it.
        return book
    except (BadInput, ImportError, TypeError, ValueError):
        # Not translated, or a game that lies in no package.
        return game.rules


def introduced(game: Game[Any], language: str) -> Introduction | None:
    """Return what somebody reads of ``game`` before its rules, in ``language``; None where nobody
    wrote it, or what a package brings cannot be read."""
    try:
        return introduction_of(game, language)
    except BadInput as error:
        _log.warning("%s", error)
        return None


def install(app: Flask) -> None:
    """Let the templates of ``app`` use ``_()``, ``ngettext()`` and ``{% trans %}``."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        lambda message: _spoken().gettext(message),
        lambda one, many, count: _spoken().ngettext(one, many, count),
        newstyle=True,
        pgettext=lambda context, message: _spoken().pgettext(context, message),
    )
    app.jinja_env.globals["_"] = _phrased
    app.jinja_env.globals["languages"] = NAMES
    app.jinja_env.filters["place"] = lambda name: tell(called(name), translator(current()))
    app.jinja_env.filters["told"] = lambda text: in_words(text, translator(current()))

    @app.context_processor
    def spoken() -> dict[str, str]:
        return {"language": current()}

    @app.after_request
    def say_which(response: Any) -> Any:
        if response.mimetype == "text/html":
            response.headers["Content-Language"] = current()
        if not request.path.startswith("/static/"):
            response.vary.update(("Accept-Language", "Cookie"))
        return response


def _phrased(message: str, **values: Any) -> Markup:
    """Return what templates call ``_(message)``: as Jinja's own ``gettext`` does, but what is said
    without ``values`` is translated once."""
    catalog = _spoken()
    return Markup(catalog.gettext(message)) % values if values else _plain(catalog, message)


@lru_cache(maxsize=4096)
def _plain(catalog: NullTranslations, message: str) -> Markup:
    # A percent sign stands twice in a sentence, with values or without.
    return Markup(catalog.gettext(message)) % {}


def _spoken() -> NullTranslations:
    return _catalog(current()) or _ENGLISH


def _catalog(language: str) -> NullTranslations | None:
    """Return the sentences of a language; None for English and where nobody has translated yet."""
    return _joined(language, brought())


@cache
def _joined(language: str, packages: tuple[str, ...]) -> NullTranslations | None:
    catalog = _read("companion", language)
    for package in packages if catalog is not None else ():
        try:
            theirs = _read(package, language)
        except Exception as error:  # what strangers wrote may be anything
            _log.warning("%s: its catalog languages/%s.po cannot be read: %s",
                         package, language, error)  # fmt: skip
            continue
        if catalog is not None and theirs is not None:
            catalog.add_fallback(theirs)
    return catalog


def _read(package: str, language: str) -> NullTranslations | None:
    source = _source(package, language)
    if source is None:
        return None
    text = source.read_bytes()
    name = f"{package}.{language}.mo"
    return GNUTranslations(BytesIO(kept(name, text, partial(_compiled, text, language))))


def _compiled(text: bytes, language: str) -> bytes:
    # Reading a catalog takes as long as all the rest of a start; it is done once.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    write_mo(compiled, read_po(BytesIO(text), locale=language))
    return compiled.getvalue()


def _source(package: str, language: str) -> Traversable | None:
    """Return a catalog's file; None for English and where nobody has translated yet."""
    if language not in NAMES or language == "en":
        return None
    try:
        file = resources.files(package) / "languages" / f"{language}.po"
    except (ImportError, TypeError):  # it is a single file without a folder of its own
        return None
    return file if file.is_file() else None
