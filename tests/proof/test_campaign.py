"""A campaign is resumed where it was stopped, begins anew for other code, and says what it found, with its seed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psutil
import pytest

from proof import campaign, page, strangers
from proof.__main__ import main
from proof.campaign import Outcome, Standing, Trial, nothing_lacks, progress, share
from proof.parts import ABOUT, trials
from proof.stopping import Stoppable
from tests.documents import ROOT
from tests.fuzz.targets import TARGETS
from tests.processes import WITHIN_S, bounded
from tests.proof.stories import (
    always_finds,
    beside,
    breaks_elsewhere,
    darkens,
    ends,
    finds,
    late_at_first,
    of_25,
    postgresql,
    ten,
)


def plays(
    folder: Path, play: Callable[[int], Outcome] = ten, goal: int = 30, of: str = "code", every: int = 0, **more: int
) -> Standing:
    trial = Trial("evenings", "turns", 30, 30, play, every=every, a_story=10)
    given = {"seed": 1, "workers": 2, **more}
    return campaign.run(
        trial, goal, until=time.monotonic() + 60, tell=lambda _: None, folder=folder, of=of,
        seed=given["seed"], workers=given["workers"], stories=given.get("stories", 0), anew=bool(given.get("anew")),
    )  # fmt: skip


def test_what_stories_count_is_added_up_and_of_what_is_worst_the_greatest_kept(tmp_path: Path) -> None:
    done = plays(tmp_path, stories=4)

    assert (done.stories, done.counts["turns"], done.counts["of the first seed"]) == (4, 40, 1)
    assert done.worst == {"worst": 2.0}
    assert done.spread == {"error": {1: 2, 2: 1, 0: 1}}
    assert (done.quantile("error", 0.5), done.quantile("error", 0.99), done.quantile("none", 0.5)) == (1, 2, 0)


def test_it_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    first = plays(tmp_path, stories=2)
    later = plays(tmp_path, stories=5)

    assert (first.stories, later.stories) == (2, 5)
    assert later.counts["of the first seed"] == 1, "the first seed was not played again"
    assert later.began == first.began


@pytest.mark.parametrize("other", [{"of": "other code"}, {"seed": 7}])
def test_numbers_of_other_code_or_of_other_seeds_are_no_beginning(tmp_path: Path, other: dict[str, object]) -> None:
    plays(tmp_path, stories=3)

    assert plays(tmp_path, stories=1, **other).stories == 1  # type: ignore[arg-type]  # one of two, by its name


@pytest.mark.parametrize("changed", [{"spread": {"error": None}}, {"counts": {"turns": "many"}}, {"commits": 1}])
def test_what_was_written_down_by_another_hand_is_no_beginning(changed: dict[str, object], tmp_path: Path) -> None:
    plays(tmp_path, stories=3)
    (kept,) = tmp_path.glob("evenings-1-*.json")
    kept.write_text(json.dumps({**json.loads(kept.read_text()), **changed}))

    assert plays(tmp_path, stories=1).stories == 1


@pytest.mark.parametrize("written", ['{"commit": "a', "null", "[]"])
def test_what_was_written_down_half_is_no_beginning(written: str, tmp_path: Path) -> None:
    plays(tmp_path, stories=3)
    (kept,) = tmp_path.glob("evenings-1-*.json")
    kept.write_text(written)

    assert plays(tmp_path, stories=1).stories == 1


def test_what_was_counted_of_other_code_waits_until_it_is_that_code_again(tmp_path: Path) -> None:
    plays(tmp_path, stories=3)
    plays(tmp_path, stories=1, of="edited")

    assert plays(tmp_path, stories=1).stories == 3


def test_whoever_asks_for_it_counts_anew_what_was_counted_already(tmp_path: Path) -> None:
    plays(tmp_path, stories=3)

    assert plays(tmp_path, stories=2, anew=1).stories == 2


def test_what_is_counted_where_something_is_missing_is_not_added_to_what_was_counted_with_it(tmp_path: Path) -> None:
    said: list[str] = []
    for misses, stories, counted in (nothing_lacks, 3, 3), (postgresql, 1, 1), (nothing_lacks, 1, 3):
        trial = Trial("evenings", "turns", 30, 30, ten, misses=misses)
        done = campaign.run(
            trial, 30, seed=1, stories=stories, until=time.monotonic() + 60, workers=1, tell=said.append,
            folder=tmp_path, of="code",
        )  # fmt: skip
        assert done.stories == counted
    assert "evenings: less is tried without PostgreSQL, which is not here" in said


@pytest.mark.skipif(sys.platform == "win32", reason="nobody sends signals there")
def test_a_campaign_that_is_ended_ends_what_its_stories_have_begun(tmp_path: Path) -> None:
    program = (
        "import sys; from contextlib import suppress; from pathlib import Path; from proof import campaign, stopping\n"
        "from tests.proof.stories import waits\n"
        "with suppress(KeyboardInterrupt), stopping.heard():\n"
        "    campaign.run(campaign.Trial('chip', 'cuts', 30, 30, waits), 30, seed=1, until=float('inf'), workers=2,"
        " tell=lambda _: None, folder=Path(sys.argv[1]), of='code')\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "kept")], cwd=ROOT, env={**os.environ, "BEGUN": str(tmp_path)},
        stderr=subprocess.PIPE, encoding="utf-8",
    ) as running, bounded(running):  # fmt: skip
        begun = [tmp_path / "1", tmp_path / "2"]
        while not all(file.exists() and file.read_text("utf-8") for file in begun):
            assert running.poll() is None
            time.sleep(0.02)
        programs = [psutil.Process(int(file.read_text("utf-8"))) for file in begun]
        running.terminate()
        _, errors = running.communicate()

    assert (running.returncode, errors) == (0, "")
    until = time.monotonic() + WITHIN_S
    while any(map(runs, programs)):  # until the system has ended what was killed
        assert time.monotonic() < until, programs
        time.sleep(0.02)


def runs(program: psutil.Process) -> bool:
    try:
        return program.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_whoever_stops_a_campaign_reads_what_is_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*_: object, **__: object) -> Standing:
        raise KeyboardInterrupt

    monkeypatch.setattr(campaign, "run", stopped)
    monkeypatch.setattr(campaign, "KEPT", tmp_path)

    assert main(["chip"]) == 130
    words = "stopped: what whole stories have counted is kept, and the same command goes on after them\n"
    assert capsys.readouterr() == ("", words)


@pytest.mark.skipif(sys.platform == "win32", reason="nobody sends signals there")
def test_a_story_whose_library_swallowed_the_interrupt_finds_nothing() -> None:
    def story() -> None:
        with Stoppable():
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGTERM)  # a second one leaves it the time to end what it has begun
            raise AssertionError("a record is lost")

    with pytest.raises(KeyboardInterrupt):
        story()


def test_a_fault_is_found_by_its_seed_and_the_campaign_goes_on(tmp_path: Path) -> None:
    done = plays(tmp_path, finds, stories=3, workers=1)

    assert done.stories == 3
    assert done.counts["turns"] == 20
    (found,) = done.found
    assert re.fullmatch(r"seed 2: AssertionError: a turn is there twice \(stories\.py:\d+\)", found)
    assert "- seed 2: AssertionError" in page.table(Trial("evenings", "turns", 1, 1, finds), done)


def test_a_fault_in_what_was_counted_stands_with_its_seed_and_its_counts() -> None:
    done = Standing("c", "d", 1, "2026-11-30")
    done.add(1, Outcome({"mutants": 125}, found="3 of 40 lived"))

    assert (done.stories, done.counts["mutants"], done.found) == (1, 125, ["seed 1: 3 of 40 lived"])


def test_whatever_comes_out_of_a_story_is_a_fault_of_that_seed(tmp_path: Path) -> None:
    done = plays(tmp_path, darkens, stories=2)

    assert [re.sub(r" \(.*", "", found) for found in done.found] == [
        "seed 1: Dark: in story 1",
        "seed 2: Dark: in story 2",
    ]


def test_whoever_finds_a_fault_in_each_story_looks_no_further(tmp_path: Path) -> None:
    done = plays(tmp_path, always_finds, goal=1, workers=1)

    assert (done.stories, len(done.found)) == (campaign.FOUND_MOST, campaign.FOUND_MOST)


def test_a_program_that_ends_by_itself_is_a_fault_and_what_was_counted_before_is_written_down(tmp_path: Path) -> None:
    done = plays(tmp_path, ends, stories=3, workers=1)

    (found,) = done.found
    assert found.startswith("seed 2: a program that played it, or another one beside it, ended by itself, or was not")
    assert plays(tmp_path, ten, stories=3).counts["of the first seed"] == 1


def test_what_is_counted_while_the_code_changes_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = iter(["before", "after"])
    monkeypatch.setattr(campaign, "code", lambda: next(codes))
    monkeypatch.setattr(campaign, "commit", lambda: "c0ffee")
    trial = Trial("evenings", "turns", 30, 30, ten)
    campaign.run(
        trial, 30, seed=1, until=time.monotonic() + 60, workers=1, tell=lambda _: None, folder=tmp_path
    )  # fmt: skip

    kept = campaign.standing(trial, 1, "before", tmp_path)
    assert kept is not None
    assert (kept.commit, kept.counts["turns"]) == ("c0ffee+", 30)


def test_a_copy_within_another_repository_has_not_its_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "ROOT", ROOT / "proof")

    assert campaign.commit() == "?"


def test_what_was_measured_beside_something_else_stands_as_it_was_measured_last(tmp_path: Path) -> None:
    done = plays(tmp_path, beside, stories=2)

    table = page.table(Trial("evenings", "turns", 1, 1, beside), done)
    assert "| inserts of 2 | 9/s | plain 10/s | 0.90 |" in table
    assert "inserts of 1" not in table


def test_what_measures_time_has_nothing_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def run(trial: Trial, *_: object, workers: int, **__: object) -> Standing:
        asked.append((trial.alone, workers))
        return Standing("commit", "code", 1, "2026-11-28")

    monkeypatch.setattr(campaign, "run", run)

    assert main(["rivals", "stamps", "--workers", "7"]) == 0
    assert asked == [(False, 7), (True, 1)]


def test_the_page_has_a_place_for_each_part_and_numbers_nowhere_else(tmp_path: Path) -> None:
    text = page.PAGE.read_text("utf-8")
    done = plays(tmp_path, stories=3)

    for trial in trials():
        renewed = page.renewed(text, trial, done)
        assert "| turns | 30 |" in renewed
        assert f'make proof ARGS="{trial.name} --stories 3 --seed 1"' in renewed
        assert page.renewed(renewed, trial, done) == renewed
    plain = re.sub(r"<!-- \w+ -->.*?<!-- end -->|(?<=\])\([^)]*\)", "", text, flags=re.DOTALL)
    assert re.findall(r"(?<![A-Za-z\d])\d[\d,. ]*", plain) == [], "of no table, nor of an address"
    with pytest.raises(ValueError, match="no place for another"):
        page.renewed(text, Trial("another", "", 1, 1, ten), done)


def test_every_number_of_the_page_says_what_makes_it_again() -> None:
    """A part that has not been counted yet has no table."""
    text = page.PAGE.read_text("utf-8")
    for trial in trials():
        (table,) = re.findall(rf"<!-- {trial.name} -->\n(.*?)<!-- end -->", text, re.DOTALL)
        if table:
            assert re.search(
                rf'`make proof ARGS="{trial.name} --stories \d+ --seed \d+"`: commit [0-9a-f]{{10}}, seeds \d+ to \d+, '
                r"20\d\d-\d\d-\d\d, (?:(?:\d+ h )?\d+ min|\d+ s) if one story follows the other\.",
                table,
            ), trial.name


@pytest.mark.parametrize(
    ("took", "goal", "stories", "expected_s"),
    [("4 min", 30, 0, 240), ("1 h 2 min", 15, 0, 1_860), ("30 s", 300, 0, 300), ("6 min", 30, 1, 120)],
)
def test_how_long_a_part_takes_is_known_from_its_page(took: str, goal: int, stories: int, expected_s: float) -> None:
    trial = Trial("evenings", "turns", 1, 1, ten)
    done = Standing("c", "d", 1, "2026-11-29", stories=3, counts=Counter(turns=30))
    text = page.renewed("<!-- evenings -->\n<!-- end -->", trial, done).replace("0 s if", f"{took} if")

    assert page.usual_s(text, trial, goal, stories) == expected_s
    assert page.usual_s("<!-- evenings -->\n<!-- end -->", trial, goal, stories) == 0


def test_the_short_form_of_all_is_under_an_hour_as_its_page_has_it() -> None:
    text = page.PAGE.read_text("utf-8")
    took_s = [
        page.usual_s(text, trial, trial.short, 0) / (1 if trial.alone else 2) for trial in trials() if trial.short
    ]
    assert all(took_s)
    assert sum(took_s) < 3_600


def test_a_fault_is_one_line_of_ours_and_its_traceback_is_kept(tmp_path: Path) -> None:
    done = plays(tmp_path, breaks_elsewhere, stories=1)

    (found,) = done.found
    assert re.fullmatch(
        r"seed 1: JSONDecodeError: Expecting value: line 1 column 1 \(char 0\) \(stories\.py:\d+\)", found
    )
    whole = (tmp_path / "evenings-1.txt").read_text("utf-8")
    assert "in breaks_elsewhere" in whole
    assert "decoder.py" in whole


def test_every_target_is_given_inputs() -> None:
    assert strangers.RUNS.keys() == TARGETS.keys()


def test_inputs_that_were_kept_are_gone_through_besides_and_in_time_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began: list[tuple[str, int, float]] = []

    def run(command: list[str], *, timeout: float, **_: object) -> subprocess.CompletedProcess[str]:
        name, runs = command[3], int(command[command.index("--runs") + 1])
        began.append((name, runs, timeout))
        return subprocess.CompletedProcess(command, 0, "", f"Done {runs} runs in 7 second(s)")

    for number in range(2 * strangers.RUNS["lists"]):
        (tmp_path / "lists" / str(number)).parent.mkdir(exist_ok=True)
        (tmp_path / "lists" / str(number)).touch()
    monkeypatch.setattr(strangers, "CORPUS", tmp_path)
    monkeypatch.setattr(subprocess, "run", run)

    done = strangers.of_all_doors(1)

    assert ("lists", 3 * strangers.RUNS["lists"], 3 * strangers.LONGEST_S) in began
    assert ("pages", strangers.RUNS["pages"], strangers.LONGEST_S) in began
    assert done.counts["inputs"] == sum(strangers.RUNS.values())


def test_a_part_whose_package_is_not_there_is_left_out_with_what_it_wants(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("proof.parts.find_spec", lambda _: None)
    monkeypatch.setattr(campaign, "run", lambda *_, **__: Standing("commit", "code", 1, "2026-11-28"))

    assert main(["strangers", "chip"]) == 0
    assert "strangers is left out: it wants atheris, which is not here\n" in capsys.readouterr().err


def test_where_nothing_is_played_that_is_no_success(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("proof.parts.find_spec", lambda _: None)

    assert main(["strangers"]) == 2
    assert capsys.readouterr() == ("", "strangers is left out: it wants atheris, which is not here\n")


def test_what_takes_an_hour_is_no_part_of_the_short_form(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["day"]) == 2
    words = "day is left out: it is played in the long form alone; add full, or --stories\n"
    assert capsys.readouterr() == ("", words)


def test_each_of_all_cases_is_played_once_before_one_is_played_again() -> None:
    every = range(1_037)

    shares = [share(every, seed, 100) for seed in range(1, 12)]

    assert sorted(one for some in shares for one in some) == [*every]
    assert [len(some) for some in shares] == [*[100] * 10, 37]
    assert max(shares[0]) - min(shares[0]) > 900, "a share is of all kinds"
    assert share(every, 12, 100) == shares[0]


def test_progress_tells_what_is_counted_and_when_it_will_be_over() -> None:
    trial = Trial("evenings", "turns", 60_000, 1_000_000, ten)
    done = Standing("c", "d", 1, "2026-11-29", stories=3, seconds=720.0, counts=Counter(turns=3_000))

    assert progress(trial, done, 60_000, 0, 2, 9.0) == ("evenings: 3,000 of 60,000 turns, about 114 minutes left")
    assert progress(trial, done, 60_000, 4, 2, 9.0) == "evenings: 3 of 4 stories, about 4 minutes left"
    begun = Standing("c", "d", 1, "2026-11-29", found=["seed 1: lost"])
    assert progress(trial, begun, 60_000, 1, 1, 600.0) == (
        "evenings: 0 of 1 stories, 1 fault found, the first story has been played for 10 minutes"
    )
    assert progress(trial, begun, 60_000, 1, 1, 600.0, usual_s=2_400.0) == (
        "evenings: 0 of 1 stories, 1 fault found, about 30 minutes left if it is as the page has it"
    )
    assert progress(trial, done, 60_000, 0, 2, 9.0, 61.0) == (
        "evenings: 3,000 of 60,000 turns, about 114 minutes left, and it is stopped in 1 minute"
    )


@pytest.mark.parametrize("play", [ten, late_at_first])
def test_no_more_stories_are_begun_than_it_takes(tmp_path: Path, play: Callable[[int], Outcome]) -> None:
    assert plays(tmp_path, play, goal=30).stories == 3


def test_cases_of_a_story_that_found_a_fault_are_not_made_up_by_those_that_were_played_before(tmp_path: Path) -> None:
    assert plays(tmp_path / "all", finds, workers=1, every=30).stories == 3
    assert plays(tmp_path / "no end", finds, workers=1).stories == 4


def test_the_last_cases_of_all_are_played_by_a_smaller_story_and_none_a_second_time(tmp_path: Path) -> None:
    done = plays(tmp_path, of_25, goal=25, every=25)

    assert (done.stories, done.counts["turns"]) == (3, 25)


def test_what_had_no_time_for_a_story_leaves_the_page_as_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counted = page.PAGE.read_text("utf-8")
    (tmp_path / "proof.md").write_text(counted, "utf-8")
    monkeypatch.setattr(page, "PAGE", tmp_path / "proof.md")
    monkeypatch.setattr(campaign, "run", lambda *_, **__: Standing("commit", "code", 1, "2026-11-28"))
    monkeypatch.setattr(campaign, "commit", lambda: "c0ffee0123")

    assert main(["scopes", "--write"]) == 0
    assert capsys.readouterr() == ("", "scopes: no time was left for a story\n")
    assert page.PAGE.read_text("utf-8") == counted


@pytest.mark.parametrize(("commit", "text", "why"), [
    ("c0ffee0123+", page.PAGE.read_text("utf-8"), "proof.md tells by which commit anybody counts the same again"),
    ("?", page.PAGE.read_text("utf-8"), "proof.md tells by which commit anybody counts the same again"),
    ("c0ffee0123", "<!-- chip -->\n", "proof.md has no place for chip"),
])  # fmt: skip
def test_what_cannot_be_written_into_the_page_is_said_before_it_is_counted(
    commit: str, text: str, why: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    (tmp_path / "proof.md").write_text(text, "utf-8")
    monkeypatch.setattr(page, "PAGE", tmp_path / "proof.md")
    monkeypatch.setattr(campaign, "commit", lambda: commit)

    assert main(["chip", "--write"]) == 2
    assert capsys.readouterr().err.startswith(f"--write: {why}")


def test_whoever_writes_less_than_the_page_had_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "proof.md").write_text("<!-- chip -->\n| cuts | 44,530 |\n<!-- end -->\n", "utf-8")
    less = Standing("c0ffee0123", "code", 1, "2026-11-30", stories=1, counts=Counter(cuts=9_890))
    monkeypatch.setattr(page, "PAGE", tmp_path / "proof.md")
    monkeypatch.setattr(campaign, "commit", lambda: less.commit)
    monkeypatch.setattr(campaign, "run", lambda *_, **__: less)

    assert main(["chip", "--stories", "1", "--write"]) == 0
    assert capsys.readouterr().err == "chip: proof.md told of 44,530 cuts, and tells of 9,890 now\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a folder there can be written to all the same")
def test_where_nothing_can_be_kept_nothing_is_played(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "proof").touch()  # no folder
    monkeypatch.setattr(campaign, "KEPT", tmp_path / "proof")

    assert main(["chip"]) == 2
    assert capsys.readouterr().err == f"{tmp_path / 'proof'}, where what is counted is kept: File exists\n"


def test_each_part_is_told_to_whoever_asks(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    told = capsys.readouterr().out
    assert [name for name in ABOUT if f"  {name:<12}{ABOUT[name]}" in told] == [trial.name for trial in trials()]


@pytest.mark.parametrize("wrong", ["-5", "0", "nan", "inf", "soon"])
def test_a_time_that_is_none_is_named(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["scopes", "--minutes", wrong])
    assert f"argument --minutes: {wrong}: expected a number of minutes" in capsys.readouterr().err


def test_what_was_installed_beside_the_tests_is_no_code_of_a_story(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign, "ROOT", tmp_path)
    (tmp_path / "tests" / "vm" / "node_modules").mkdir(parents=True)
    before = campaign.code()
    (tmp_path / "tests" / "vm" / "node_modules" / "other.js").write_text("1")
    assert campaign.code() == before
    (tmp_path / "tests" / "vm" / "own.js").write_text("1")
    assert campaign.code() != before


@pytest.mark.parametrize("wrong", [["--stories", "-1"], ["--seed", "0"], ["--workers", "0"], ["--stories", "two"]])
def test_a_number_that_can_be_none_is_named(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["scopes", *wrong])
    assert ended.value.code == 2
    assert f"argument {wrong[0]}: {wrong[1]}: expected a number from 1 on" in capsys.readouterr().err


def test_whoever_looks_from_another_seed_leaves_what_was_counted(tmp_path: Path) -> None:
    plays(tmp_path, stories=3)
    plays(tmp_path, stories=1, seed=7)

    assert plays(tmp_path, stories=4).stories == 4
    assert plays(tmp_path, stories=4).counts["of the first seed"] == 1


def test_it_is_told_whether_it_goes_on_or_begins_anew(tmp_path: Path) -> None:
    said: list[str] = []
    trial = Trial("evenings", "turns", 30, 30, ten)
    for stories, of in ((1, "one"), (2, "one"), (1, "other")):
        campaign.run(
            trial, 0, seed=1, stories=stories, until=time.monotonic() + 60, workers=1, tell=said.append,
            folder=tmp_path, of=of,
        )  # fmt: skip

    assert said == [
        "evenings: begins", "evenings: goes on after 1 story", "evenings: begins anew, since the code has changed",
    ]  # fmt: skip


def test_of_a_part_that_has_an_end_the_page_says_how_many_there_are() -> None:
    done = Standing("c", "d", 1, "2026-11-29", stories=1, counts=Counter(cases=100, others=7))
    table = page.table(Trial("scopes", "cases", 1, 200_000, ten, every=200_000), done)

    assert "| cases | 100 of 200,000 |" in table
    assert "| others | 7 |" in table


def test_an_unknown_part_is_named_with_the_known_ones() -> None:
    run = partial(subprocess.run, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60, check=False)
    done = run([sys.executable, "-m", "proof", "nothing"])

    assert done.returncode == 2
    known = ", ".join(trial.name for trial in trials())
    assert done.stderr == f"nothing: no such part, expected full or some of {known}\n"
