"""`python -m core`: what it prints where, and how it ends."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pandas as pd
import psutil
import pymupdf
import pytest
from typer.testing import CliRunner, Result

from core import parse_document, serialize_table_rows
from core.cli import printing, reading
from core.cli.app import app
from core.cli.files import safe_name
from core.cli.options import page_numbers
from core.cli.printing import plain
from core.export import read_row_df
from core.frames import check_row_df
from tests.test_worker import many_pages

ROOT = Path(__file__).parents[1]

CONTRACT = """# Guarantees

| Covered event | Cap | Deductible |
|---|---|---|
| Vehicle theft | 25,000 EUR | 500 EUR |
| Fire | 30,000 EUR | 250 EUR |
| Glass | 1,500 EUR | 0 EUR |
"""
THEFT = "Covered event: Vehicle theft | Cap: 25,000 EUR | Deductible: 500 EUR"


def parse_here(*arguments: Any, **options: Any) -> Any:
    """In place of `parse_in_worker`: a process for each document takes its time to start, and
    the tests of the process below have one."""
    return parse_document(*arguments, **{k: v for k, v in options.items() if k != "cancel"})


@pytest.fixture(autouse=True)
def _own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROWLENS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv(reading.PASSWORD_VARIABLE, raising=False)
    for module in ("core.worker", "core.library"):
        monkeypatch.setattr(f"{module}.parse_in_worker", parse_here)


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    """A contract as Markdown."""
    path = tmp_path / "contract.md"
    path.write_text(CONTRACT)
    return path


def run(*arguments: object) -> Result:
    """The command in this process."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def process(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """The command as people run it."""
    command = [sys.executable, "-m", "core", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, **options)


def locked_pdf(path: Path) -> Path:
    """A PDF that opens with the password "secret"."""
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), "Hidden words")
        document.save(path, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="secret")
    return path


# --------------------------------------------------------------------------- ask


def test_ask_answers_with_row_and_place(contract: Path) -> None:
    done = run("ask", contract, "What is the cap for vehicle theft?")
    assert done.exit_code == 0
    answer = json.loads(done.stdout)
    assert answer["context"] == THEFT
    assert answer["citations"] == [[1, 5]]
    assert answer["decisions"] == [
        {"table_id": "t1", "k": 1, "n_body_rows": 3, "coverage": 1 / 3, "widened": False}
    ]


def test_ask_prints_a_table_for_people(contract: Path) -> None:
    done = run("ask", contract, "What is the cap for vehicle theft?", "--format", "table")
    assert done.stdout.splitlines()[0] == "t1: 1 of 3 rows (33%), these rows only"
    assert done.stdout.splitlines()[-1] == f"p. 1, l. 5  {THEFT}"


def test_ask_as_csv_is_one_line_per_line(contract: Path) -> None:
    done = run("ask", contract, "What is the cap for vehicle theft?", "--format", "csv")
    assert list(csv.reader(io.StringIO(done.stdout))) == [
        ["page_num", "line_num", "text"],
        ["1", "5", THEFT],
    ]


def test_the_threshold_decides_about_the_whole_table(contract: Path) -> None:
    question = "What is the cap for vehicle theft?"
    low = json.loads(run("ask", contract, question, "--threshold", "0.3").stdout)
    assert low["decisions"][0]["widened"]
    assert run("ask", contract, question, "--threshold", "2").exit_code == 2


def test_ask_ends_with_1_if_nothing_is_found(contract: Path) -> None:
    done = run("ask", contract, "Who invented zeppelins?", "--format", "table")
    assert done.exit_code == 1
    assert done.stdout == "Nothing matches.\n"


# --------------------------------------------------------------------------- rows


def test_rows_are_those_of_the_api(contract: Path) -> None:
    done = run("rows", contract)
    records = json.loads(done.stdout)
    row_df = serialize_table_rows(parse_document(contract, "frame").line_df)
    assert [record["row_serialized"] for record in records] == row_df["row_serialized"].tolist()
    assert records[0]["row_cells"] == ["Vehicle theft", "25,000 EUR", "500 EUR"]
    assert records[0]["x0"] is None
    assert list(records[0]) == list(row_df.columns)


def test_rows_of_one_table_and_by_hand(contract: Path) -> None:
    assert len(json.loads(run("rows", contract, "--table", "t1").stdout)) == 3
    wrong = run("rows", contract, "--table", "t9")
    assert wrong.exit_code == 2
    assert "t1" in wrong.stderr
    by_hand = json.loads(run("rows", contract, "--header-rows", "t1=0").stdout)
    assert len(by_hand) == 4


def test_strict_reads_by_the_four_rules(tmp_path: Path) -> None:
    path = tmp_path / "sections.md"
    path.write_text("| a | b |\n|---|---|\n| Assets | |\n| Cash | 1 |\n| Debt | 2 |\n")
    assert len(json.loads(run("rows", path, "--strict").stdout)) == 3


# --------------------------------------------------------------------------- lint


def test_lint_ends_with_1_if_there_are_errors(contract: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.md"
    bad.write_text("| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 | 4 |\n| 5 | 6 |\n| 7 |\n" * 2)
    fine, wrong = run("lint", contract), run("lint", contract, bad)
    assert {record["code"] for record in json.loads(fine.stdout)} == {"no-boxes"}
    assert fine.exit_code == 0
    errors = [found for found in json.loads(wrong.stdout) if found["severity"] == "error"]
    assert {found["file"] for found in errors} == {str(bad)}
    assert wrong.exit_code == 1


def test_lint_as_csv_has_its_header_even_without_findings(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("Only words\n")
    names = "file,table_id,page_num,line_num,severity,code,message,why,remedy,role,row_index,"
    assert run("lint", path, "--format", "csv").stdout == f"{names}column,count\n"


# --------------------------------------------------------------------------- parse


@pytest.mark.parametrize("format", ["parquet", "csv", "json"])
def test_parse_writes_frames_that_open_again(contract: Path, tmp_path: Path, format: str) -> None:
    out = tmp_path / "out"
    done = run("parse", contract, "--out", out, "--format", format)
    assert done.exit_code == 0
    [summary] = json.loads(done.stdout)
    assert (summary["pages"], summary["lines"], summary["tables"], summary["rows"]) == (1, 7, 1, 3)
    folder = out / "contract"
    assert summary["folder"] == str(folder)
    names = {path.name for path in folder.iterdir()}
    assert names == {f"{name}.{format}" for name in ("line_df", "page_df", "toc_df", "row_df")}
    parsed = parse_document(contract, "frame")
    again = parse_document(folder / f"line_df.{format}", "frame")
    pd.testing.assert_frame_equal(again.line_df, parsed.line_df)
    row_df = serialize_table_rows(parsed.line_df)
    back = read_row_df((folder / f"row_df.{format}").read_bytes(), format)
    pd.testing.assert_frame_equal(back, check_row_df(row_df))


def test_parse_overwrites_nothing_unless_told(contract: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("parse", contract, "--out", out)
    kept = (out / "contract" / "line_df.parquet").stat().st_mtime_ns
    again = run("parse", contract, "--out", out)
    assert again.exit_code == 4
    assert "--overwrite" in again.stderr
    assert (out / "contract" / "line_df.parquet").stat().st_mtime_ns == kept
    assert run("parse", contract, "--out", out, "--overwrite").exit_code == 0
    assert (out / "contract" / "line_df.parquet").stat().st_mtime_ns != kept


def test_documents_of_one_name_get_folders_of_their_own(contract: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "contract.txt"
    other.parent.mkdir()
    other.write_text("Only words\n")
    done = run("parse", contract, other, "--out", tmp_path / "out")
    folders = [Path(record["folder"]).name for record in json.loads(done.stdout)]
    assert folders == ["contract", "contract-2"]


def test_a_link_in_the_way_is_not_followed(contract: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out" / "contract").symlink_to(tmp_path / "elsewhere")
    done = run("parse", contract, "--out", tmp_path / "out", "--overwrite")
    assert done.exit_code == 4
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_folder_that_cannot_be_made_ends_with_4(contract: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    done = run("parse", contract, "--out", tmp_path / "file")
    assert done.exit_code == 4
    assert json.loads(done.stdout)[0]["folder"] is None


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("..", "_"),
        ("a/../b", "a_._b"),
        ("../../etc/passwd", "etc_passwd"),
        ("C:\\x", "C_x"),
        ("con", "_con"),
        (".hidden", "hidden"),
        ("Größe 2.1", "Größe_2.1"),
        ("x" * 300, "x" * 80),
        ("a\x00b\n", "a_b"),
    ],
)
def test_names_of_folders_are_harmless(name: str, safe: str) -> None:
    assert safe_name(name) == safe


# --------------------------------------------------------------------------- documents


def test_a_document_that_cannot_be_read_ends_with_3_and_others_go_on(
    contract: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 and no more")
    done = run("parse", broken, tmp_path / "missing.pdf", contract)
    assert done.exit_code == 3
    assert [record["file"] for record in json.loads(done.stdout)] == [str(contract)]
    assert f"{broken}: " in done.stderr
    assert "missing.pdf" in done.stderr


def test_pages_are_those_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "pages.txt"
    path.write_text("a\fb\fc\fd\n")
    [summary] = json.loads(run("parse", path, "--pages", "1-2,4").stdout)
    assert (summary["pages"], summary["lines"]) == (3, 3)
    outside = run("parse", path, "--pages", "9")
    assert outside.exit_code == 2
    assert "pages 1 to 4" in outside.stderr


def test_ranges_of_pages_unfold() -> None:
    assert page_numbers("1-3, 7,2") == [1, 2, 3, 7]
    assert page_numbers(None) is None


@pytest.mark.parametrize(
    "arguments",
    [
        ["--pages", "x"],
        ["--pages", "3-1"],
        ["--pages", "0"],
        ["--pages", "1,"],
        ["--parser", "none"],
        ["--header-rows", "t1"],
        ["--header-rows", "t1=9"],
        ["--header-rows", "t7=1"],
        ["--format", "xml"],
        ["--no-such-option"],
    ],
)
def test_wrong_usage_ends_with_2(contract: Path, arguments: list[str]) -> None:
    done = run("rows", contract, *arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr != ""


def test_notes_go_to_standard_error(tmp_path: Path) -> None:
    path = tmp_path / "lines.json"
    path.write_text('[{"page": 1, "text": "a"}]')
    done = run("parse", path)
    assert "'page' as page_num" in done.stderr
    assert "page_num" not in done.stdout


def test_a_saved_frame_takes_its_pages_from_the_pdf_beside(tmp_path: Path) -> None:
    path, beside = tmp_path / "lines.json", tmp_path / "page.pdf"
    path.write_text('[{"page": 1, "text": "a"}]')
    with pymupdf.open() as document:
        document.new_page(width=300, height=400)
        document.save(beside)
    run("parse", path, "--beside", beside, "--out", tmp_path / "out", "--format", "json")
    pages = json.loads((tmp_path / "out" / "lines" / "page_df.json").read_text())
    assert pages["page_df"][0]["width"] == 300


def test_a_password_comes_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = locked_pdf(tmp_path / "locked.pdf")
    without = run("parse", path)
    assert without.exit_code == 3
    assert "ROWLENS_PASSWORD" in without.stderr
    monkeypatch.setenv("ROWLENS_PASSWORD", "secret")
    done = run("parse", path)
    assert done.exit_code == 0
    assert "secret" not in done.output


def test_a_password_is_asked_for_on_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = iter(["wrong", "secret"])
    monkeypatch.setattr("getpass.getpass", lambda prompt: next(given))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    document = reading.Reading("pymupdf").read(locked_pdf(tmp_path / "locked.pdf"))
    assert document.line_df["text"].tolist() == ["Hidden words"]


# --------------------------------------------------------------------------- terminals


def test_control_characters_never_reach_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "evil.md"
    evil = "\x1b]0;title\x07 \x9b31m [red]x[/red] \u202eabc"
    path.write_text(f"| a | b |\n|---|---|\n| {evil} | 1 |\n", encoding="utf-8")
    for arguments in (
        ["rows", path, "--format", "table"],
        ["rows", path, "--format", "json"],
        ["ask", path, "What is b of abc?", "--format", "table"],
    ):
        printed = run(*arguments).stdout
        assert not set(printed) & set("\x1b\x07\x9b\u202e")
        assert "[red]x[/red]" in printed
    assert "\x9b31m" in json.loads(run("rows", path).stdout)[0]["row_serialized"]


def test_text_for_terminals_is_one_line() -> None:
    assert plain("a\r\nb\tc\x1b[0m\x00") == "a b c\ufffd[0m\ufffd"


def test_a_csv_escapes_formulas(tmp_path: Path) -> None:
    path = tmp_path / "formulas.md"
    path.write_text("| a | b |\n|---|---|\n| x | 1 |\n\n=1+1\n")
    done = run("ask", path, "=1+1 and nothing else?", "--format", "csv")
    fields = [field for row in csv.reader(io.StringIO(done.stdout)) for field in row]
    assert not any(field.startswith("=") for field in fields)


def test_the_shape_follows_where_results_go(monkeypatch: pytest.MonkeyPatch) -> None:
    assert printing.choose_shape(printing.Shape.CSV) is printing.Shape.CSV
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert printing.choose_shape(None) is printing.Shape.TABLE
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    assert printing.choose_shape(None) is printing.Shape.JSON


# --------------------------------------------------------------------------- the process


def test_without_arguments_it_shows_its_help() -> None:
    done = process()
    assert all(f" {name} " in done.stdout for name in ("parse", "rows", "ask", "lint"))
    assert "Exit codes" in done.stdout


def test_help_imports_nothing_slow() -> None:
    script = (
        "import sys; sys.argv = ['core', '--help']\n"
        "from core.cli.app import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(*[n for n in ('pandas', 'pymupdf', 'pyarrow', 'docling') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == ""


def test_the_process_ends_with_the_same_codes(contract: Path) -> None:
    question = "What is the cap for vehicle theft?"
    done = process("ask", contract, question)
    assert (done.returncode, json.loads(done.stdout)["context"]) == (0, THEFT)
    assert process("rows", contract, "--pages", "x").returncode == 2
    assert process("rows", contract.with_name("missing.md")).returncode == 3


def test_a_reader_that_has_enough_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "long.md"
    path.write_text("| a | b |\n|---|---|\n" + "| x | 1 |\n" * 5_000)
    with subprocess.Popen(
        [sys.executable, "-m", "core", "rows", str(path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline() == b"[\n"
        running.stdout.close()
        assert b"Traceback" not in running.stderr.read()
        assert b"Broken" not in running.stderr.read()
        assert running.wait(60) == 0


@pytest.mark.skipif(os.name == "nt", reason="sends SIGINT")
def test_an_interrupt_ends_with_130_and_leaves_no_process(tmp_path: Path) -> None:
    path = tmp_path / "long.pdf"
    path.write_bytes(many_pages(300))
    with subprocess.Popen(
        [sys.executable, "-m", "core", "parse", str(path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        deadline = time.monotonic() + 60
        while not (workers := psutil.Process(running.pid).children()):
            assert time.monotonic() < deadline, "no worker was started"
            time.sleep(0.05)
        time.sleep(0.5)
        running.send_signal(signal.SIGINT)
        assert running.wait(30) == 130
        assert psutil.wait_procs(workers, timeout=10)[1] == []
        assert running.stderr is not None
        assert b"Traceback" not in running.stderr.read()


@pytest.mark.skipif(os.name == "nt", reason="makes a pipe")
def test_a_pipe_is_refused_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    done = run("rows", str(path))
    assert done.exit_code == 3
    assert "is a device or pipe" in done.stderr
