# mypy: ignore-errors
# ruff: noqa: PTH123
"""Runs the files that a board runs by itself at power-on, in the globals of the prompt, as the board does."""


def run(name: str) -> None:
    """Run a file of the flash's root."""
    with open("/" + name) as file:
        code = compile(file.read(), name, "exec")
    exec(code, __import__("__main__").__dict__)
