"""hardware/pictures holds what the code draws, every picture and no other; and the command names the builds."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.drawing import PICTURES, Drawing


def test_each_picture_is_drawn_by_the_command_and_each_drawing_is_kept() -> None:
    from hardware import __main__ as command

    names = [drawing.name for drawing in command.kept()]

    assert sorted(names) == sorted(set(names))
    assert sorted(names) == sorted(file.stem for file in PICTURES.glob("*.svg"))
    assert command.strays() == []


def test_a_picture_that_is_out_of_date_is_named_and_drawn_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given one picture that is kept as it is drawn, one that is not, and one that nothing draws."""
    from hardware import __main__ as command

    for name, kept in (("kept", "<svg/>"), ("old", "<svg>old</svg>"), ("stray", "<svg/>")):
        (tmp_path / f"{name}.svg").write_text(kept, "utf-8")
    monkeypatch.setattr(command, "PICTURES", tmp_path)
    monkeypatch.setattr(command, "kept", lambda: [Drawing("kept", lambda: "<svg/>"), Drawing("old", lambda: "<g/>")])

    assert command.main(["--pictures"]) == 1
    assert capsys.readouterr().out == "old.svg is not what the code draws\nstray.svg nothing draws it\n"
    assert command.main(["--update"]) == 0
    assert command.main(["--pictures"]) == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["kept.svg", "old.svg"]


def test_without_a_name_the_command_says_which_builds_there_are_and_what_each_costs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from hardware import __main__ as command

    monkeypatch.chdir(tmp_path)

    assert command.main([]) == 0

    (line,) = capsys.readouterr().out.splitlines()
    for name, build in command.BUILDS.items():
        assert f"{name} ({build.costs()})" in line
        assert " € a box" in build.costs()
    assert list(tmp_path.iterdir()) == [], "and writes nothing"


def test_a_build_that_is_not_there_is_refused_with_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    from hardware import __main__ as command

    with pytest.raises(SystemExit, match="2"):
        command.main(["soldered"])
    assert "soldered" in capsys.readouterr().err
