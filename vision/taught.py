"""Readers that people teach what tokens look like; it is kept for other evenings.

Whoever handles any reader asks for this class, so that it loads neither those of cards nor of dice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from numpy.typing import NDArray

from vision.frames import Image, TableFile

if TYPE_CHECKING:
    from vision.tokens.album import Album


class TaughtReader(ABC):
    """A reader of tokens whose faces have to be shown to it once."""

    kept_in: ClassVar[str]
    """How the name of the file ends that keeps what was taught."""

    light = 1.0
    """How bright the lights may be, 0 to 1: such tokens are seen by any."""
    faces = 0
    """Their faces are not kept in an album."""

    def album(self) -> Album | None:
        """Return None: faces that are taught are not kept in an album."""
        return None

    @property
    @abstractmethod
    def lessons(self) -> int:
        """How many times something was taught; another number tells that there is news to keep."""

    @abstractmethod
    def teach(self, image: Image, tokens: Mapping[str, str]) -> None:
        """Learn the faces that lie in ``image``: spot -> token.

        Raises:
            BadInput: the picture does not show the table.
            Uncertain: something cannot be made out.
        """

    @abstractmethod
    def taught(self) -> Mapping[str, NDArray[Any]]:
        """Return what was taught, as arrays by name."""

    @abstractmethod
    def recall(self, taught: Mapping[str, NDArray[Any]]) -> None:
        """Take over what was taught on another evening, as :meth:`taught` returned it.

        Raises:
            BadInput: it does not fit.
        """

    @property
    def described(self) -> TableFile:
        """Return what a table file has to hold for another reader to know the same faces."""
        return {}
