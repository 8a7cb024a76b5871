"""The pages on the phones, and the simulated table's page. Talks to the table alone."""

from web.app import called, changed, create_app, drawn, invitation, moved
from web.config import Config
from web.ports import Eyes, Lights, VirtualTable
from web.serving.server import Server

__all__ = [
    "Config",
    "Eyes",
    "Lights",
    "Server",
    "VirtualTable",
    "called",
    "changed",
    "create_app",
    "drawn",
    "invitation",
    "moved",
]
