"""Boards that feel what lies on them: their messages, where these come from, who reads them."""
