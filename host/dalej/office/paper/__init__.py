"""Paper and files: what a tournament gives into people's hands."""
