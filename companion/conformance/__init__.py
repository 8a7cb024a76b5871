"""The conformance kit: what is tested of every game, ours and other people's, by what it declares.

Nothing is imported here: pytest loads the plug-in of the kit wherever the companion is installed.
"""
