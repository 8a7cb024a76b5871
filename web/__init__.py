"""The pages on the phones, and the simulated table's page. Talks to the table alone."""

from web.app import changed, create_app, invitation
from web.config import Config
from web.server import Server
from web.virtual import Eyes, Lights, VirtualTable

__all__ = [
    "Config",
    "Eyes",
    "Lights",
    "Server",
    "VirtualTable",
    "changed",
    "create_app",
    "invitation",
]
