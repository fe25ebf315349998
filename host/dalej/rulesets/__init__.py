"""The five regulations that ship with Dalej, each a TOML file with its clauses, and where others come from."""
