"""What a page can do for itself while its scripts are missing."""

from __future__ import annotations

import base64
import hashlib

SCRIPT = """\
addEventListener("error", ({ target }) => {
  if (!target.matches?.("script, link[rel=stylesheet]")) return;
  const later = () => setTimeout(again, 1000);
  const again = () => fetch(location.href).then(() => location.reload(), later);
  later();
}, true);"""
"""Stands in every page itself: where the house fell while a page was loaded, its scripts never
came, and nothing else could load it anew once the house answers again."""

SOURCE = f"'sha256-{base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()}'"
"""How the content security policy names it: no other script may stand in a page."""
