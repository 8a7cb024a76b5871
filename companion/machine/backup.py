"""Backing a table up and restoring it: journals, calibration, faces and settings in one file.

Journals are copied by SQLite while they are in use. A restored journal of an older companion is
brought to this one's format when it is opened.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from companion.journal import Journal
from companion.journal.lock import Lock
from companion.rules import BadInput, HardwareFault, quoted, read_json
from companion.runtime.files import open_file, private, private_folder, write_private

FORMAT = 1
MANIFEST = "companion-backup.json"
JOURNAL = ".sqlite3"
KEPT = (".table.json", ".faces.npz", ".faces.deck.npz", ".lights.json", ".panel.json", ".toml")
"""Endings of the files that are backed up beside journals."""
UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""The exceptions raised for an archive that is damaged, encrypted or packed in another way than
ours."""
MOST_MANIFEST = 100_000
"""Bytes of the list of files in a backup, at most."""
MOST_BYTES = 4_000_000_000
"""Bytes that a backup unpacks to, at most."""


def back_up(folder: Path, out: Path, now: float) -> tuple[str, ...]:
    """Write everything of ``folder`` into one file and return the names of what it holds.

    Raises:
        BadInput: there is nothing to keep.
        HardwareFault: the file cannot be written.
    """
    names = tuple(path.name for path in kept_files(folder))
    if not names:
        raise BadInput(f"there is nothing to back up in {folder}; name the folder with --data")
    fresh = out.with_name(out.name + ".new")
    try:
        with (
            tempfile.TemporaryDirectory() as place,
            open(fresh, "wb", opener=private) as file,
            # Archives know no year before 1980, in which a machine without a clock wakes.
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive,
        ):
            made = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))
            manifest = json.dumps({"format": FORMAT, "made": made, "files": names})
            archive.writestr(zipfile.ZipInfo(MANIFEST), manifest)
            for name in names:
                source = folder / name
                if name.endswith(JOURNAL):
                    source = copied(source, Path(place) / name)
                archive.write(source, name)
        fresh.replace(out)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            fresh.unlink()
        why = error.strerror if isinstance(error, OSError) else error
        raise HardwareFault(f"the backup {out} cannot be written: {why}") from error
    return names


def kept_files(folder: Path) -> Iterator[Path]:
    """Yield the files of a table in ``folder``, journals first.

    Raises:
        BadInput: one has a name that is no text.
    """
    if folder.is_dir():
        found = sorted(path for path in folder.iterdir() if path.is_file())
        for path in found:
            if path.name.endswith((JOURNAL, *KEPT)) and not path.name.isprintable():
                raise BadInput(
                    f"the file {quoted(path.name)} in {folder} has a name that no backup can hold; "
                    "rename it"
                )
        yield from (path for path in found if path.name.endswith(JOURNAL))
        yield from (path for path in found if path.name.endswith(KEPT))


def copied(journal: Path, target: Path) -> Path:
    """Copy a journal, also while a table writes it, and return the copy."""
    source = sqlite3.connect(f"{journal.absolute().as_uri()}?mode=ro", uri=True)
    with closing(source), closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
    return target


def restore(archive: Path, folder: Path, replace: bool = False) -> tuple[str, ...]:
    """Unpack a backup into ``folder`` and return the names of what was restored. Journals are
    brought to this companion's format first; if one cannot be, nothing is changed.

    Raises:
        BadInput: no backup, made by a newer companion, or files are there that may not be
            replaced.
        HardwareFault: the disk does not let us.
    """
    try:
        with (
            open_file(archive) as file,
            zipfile.ZipFile(file) as opened,
            tempfile.TemporaryDirectory() as place,
        ):
            names = checked(opened, archive)
            there = [name for name in names if (folder / name).exists()]
            if there and not replace:
                raise BadInput(
                    f"{folder} has {', '.join(there)} already; say --replace to put the backup's "
                    "in their place"
                )
            for name in names:
                opened.extract(name, place)
            for name in names:
                if name.endswith(JOURNAL):
                    settle(Path(place) / name)
            put_in_place(Path(place), folder, names)
    except UNREADABLE as error:
        raise BadInput(f"{archive} is no backup of a companion, or it is damaged") from error
    except OSError as error:
        raise HardwareFault(f"the backup {archive} cannot be restored: {error.strerror}") from error
    return names


def checked(opened: zipfile.ZipFile, archive: Path) -> tuple[str, ...]:
    """Return the names of the files in a backup.

    Raises:
        BadInput: it is no backup of ours, or one of a newer companion.
    """
    try:
        with opened.open(MANIFEST) as file:
            manifest = read_json(file.read(MOST_MANIFEST), str(archive))
        version, names = manifest["format"], tuple(manifest["files"])
    except (KeyError, TypeError, BadInput):
        raise BadInput(f"{archive} is no backup of a companion, or it is damaged") from None
    if version != FORMAT:
        raise BadInput(f"{archive} was made by a newer companion; update this one to restore it")
    packed = {info.filename: info.file_size for info in opened.infolist()}
    for name in names:
        plain = isinstance(name, str) and Path(name).name == name and not name.startswith(".")
        if not plain or name not in packed or not name.endswith((JOURNAL, *KEPT)):
            raise BadInput(f"{archive} is no backup of a companion: it names {quoted(name)}")
    if sum(packed.values()) > MOST_BYTES:
        raise BadInput(f"{archive} is no backup of a companion: it unpacks to too much")
    if damaged := opened.testzip():
        raise BadInput(f"{archive} is damaged: {damaged} cannot be read")
    return names


def settle(journal: Path) -> None:
    """Bring a journal to this companion's format, into one file.

    Raises:
        BadInput: it is no journal, damaged, of a newer companion, or holds what none wrote.
    """
    with Journal(journal) as opened:
        if not opened.whole():
            raise BadInput(f"the journal {journal.name} is damaged; restore an older backup")
    for ending in (".room", "-wal", "-shm"):
        journal.with_name(journal.name + ending).unlink(missing_ok=True)


def put_in_place(place: Path, folder: Path, names: tuple[str, ...]) -> None:
    """Move the files into ``folder``, journals last: until then the old games are there.

    Raises:
        BadInput: a journal is in use.
    """
    private_folder(folder)
    journals = [name for name in names if name.endswith(JOURNAL)]
    for name in journals:
        if (folder / name).exists():
            Lock(str(folder / name)).close()  # refuses while a table keeps it
    for name in sorted(names, key=lambda name: name in journals):
        fresh = folder / f"{name}.restored"
        write_private(fresh, (place / name).read_bytes())
        if name in journals:
            for ending in ("-wal", "-shm"):
                (folder / (name + ending)).unlink(missing_ok=True)
        fresh.replace(folder / name)
