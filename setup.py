"""With COMPANION_COMPILED=1 in the environment a wheel is built with the modules of
companion/native.toml compiled by mypyc, from the same source; whatever hinders that ends the build.
Without it a wheel is pure Python and needs no compiler. Everything else is in pyproject.toml."""

import os
import sys
import tomllib
from pathlib import Path

from setuptools import setup

MYPY = "2.4.1"
"""Another one may make other code."""
WANTED = os.environ.get("COMPANION_COMPILED") == "1"


def native():
    """Return the extension modules that mypyc makes of the sources."""
    from mypy.version import __version__
    from mypyc.build import mypycify

    if __version__ != MYPY:
        sys.exit(f"native code is made by mypy {MYPY}, and here is {__version__}")
    listed = tomllib.loads(Path("companion/native.toml").read_text(encoding="utf-8"))["modules"]
    sources = [f"companion/{name}.py" for name in listed]
    level = os.environ.get("COMPANION_OPTIMISE", "3")
    return mypycify(sources, opt_level=level, debug_level="0", group_name="companion")


setup(
    setup_requires=[f"mypy=={MYPY}"] if WANTED else [],
    # The backend also runs this to ask what a build needs, before that is there.
    ext_modules=native() if WANTED and "bdist_wheel" in sys.argv else [],
)
