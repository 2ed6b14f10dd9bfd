"""Build the sample PDFs of this folder: `python -m assets.make_samples`, from the repo root.

Needs reportlab and two font packages, pinned in tests/requirements.txt. A rerun with the same
versions writes the same bytes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from reportlab.platypus import Flowable, Paragraph, Spacer

from assets import sample_content as content
from assets.sample_layout import (
    LEAD,
    REFERENCE,
    TEXT_WIDTH,
    Column,
    FontMissingError,
    Furniture,
    SampleDocument,
    TableLook,
    clause,
    heading,
    register_fonts,
    table_block,
    title_block,
)

ASSETS: Final = Path(__file__).parent

GUARANTEES_LOOK: Final = TableLook(
    (Column(125), Column(79, "right"), Column(67, "right"), Column(TEXT_WIDTH - 271)),
    may_break=True,
)
CONTRACT_LOOKS: Final = {
    "guarantees": GUARANTEES_LOOK,
    "territory": TableLook((Column(144), Column(118), Column(78), Column(TEXT_WIDTH - 340))),
    "premium": TableLook(
        (
            Column(TEXT_WIDTH - 334),
            Column(100, "right", inset=20),
            Column(80, "right", inset=8),
            Column(84, "right", inset=22),
            Column(70, "right"),
        )
    ),
    "glossary": TableLook((Column(110), Column(TEXT_WIDTH - 110))),
}
REPORT_LOOKS: Final = {
    "layers": TableLook(
        (Column(128), Column(106), Column(110), Column(TEXT_WIDTH - 344)), rules="booktabs"
    ),
    "bleu": TableLook(
        (
            Column(132),
            Column(58),
            Column(58),
            Column(106, "right", inset=26),
            Column(TEXT_WIDTH - 354, "right", inset=16),
        ),
        rules="booktabs",
        mid_rules_above=(5, 8),
        bold_cells=frozenset({(7, 2), (8, 3), (9, 1), (9, 2)}),
    ),
}


def sections_story(
    sections: tuple[content.Section, ...],
    tables: dict[str, content.TableContent],
    looks: dict[str, TableLook],
    *,
    numbered_clauses: bool,
) -> list[Flowable]:
    """Return headed sections in order, each followed by its table where it has one."""
    story: list[Flowable] = []
    for number, section in enumerate(sections, start=1):
        story.append(heading(number, section.title))
        for index, text in enumerate(section.paragraphs, start=1):
            story.append(clause(text, f"{number}.{index}" if numbered_clauses else ""))
        if section.table:
            story.extend(table_block(tables[section.table], looks[section.table]))
    return story


def extract_table() -> content.TableContent:
    """Return the slice of the guarantees table that the one-page extract shows."""
    rows = tuple(row for row in content.GUARANTEES if row[0] in content.EXTRACT_EVENTS)
    return content.TableContent(content.EXTRACT_CAPTION, (content.GUARANTEES_HEADER,), rows)


def write_contract(path: Path) -> None:
    """Write the motor insurance contract."""
    story = [
        *title_block(content.INSURER.upper(), content.CONTRACT_TITLE, content.CONTRACT_SUBTITLE),
        Paragraph(content.CONTRACT_PARTICULARS, LEAD),
        *sections_story(
            content.CONTRACT_SECTIONS,
            content.CONTRACT_TABLES,
            CONTRACT_LOOKS,
            numbered_clauses=True,
        ),
    ]
    furniture = Furniture(
        content.CONTRACT_RUNNING_TITLE, content.CONTRACT_NUMBER, content.CONTRACT_FOOTER
    )
    SampleDocument(
        path, title=content.CONTRACT_TITLE, author=content.INSURER, furniture=furniture
    ).write(story)


def write_extract(path: Path) -> None:
    """Write the one-page extract of the guarantees table."""
    story = [
        *title_block(
            content.INSURER.upper(), content.EXTRACT_TITLE, f"Contract {content.CONTRACT_NUMBER}"
        ),
        Paragraph(content.EXTRACT_INTRO, LEAD),
        *table_block(extract_table(), GUARANTEES_LOOK),
        Spacer(0, 8),
        *(Paragraph(text, LEAD) for text in content.EXTRACT_NOTES),
    ]
    furniture = Furniture(content.EXTRACT_TITLE, content.CONTRACT_NUMBER, content.CONTRACT_FOOTER)
    SampleDocument(
        path, title=content.EXTRACT_TITLE, author=content.INSURER, furniture=furniture
    ).write(story)


def write_report(path: Path) -> None:
    """Write the report about the Transformer paper."""
    sections = content.REPORT_SECTIONS
    story = [
        *title_block("TECHNICAL NOTE", content.REPORT_TITLE, content.REPORT_SUBTITLE),
        Paragraph(content.REPORT_ABSTRACT, LEAD),
        *sections_story(sections, content.REPORT_TABLES, REPORT_LOOKS, numbered_clauses=False),
        heading(len(sections) + 1, "Reference"),
        *(Paragraph(text, REFERENCE) for text in content.REPORT_REFERENCES),
    ]
    furniture = Furniture(content.REPORT_RUNNING_TITLE, "Technical note", content.REPORT_FOOTER)
    SampleDocument(path, title=content.REPORT_TITLE, author="Rowlens", furniture=furniture).write(
        story
    )


def main() -> None:
    """Write all samples next to this file."""
    try:
        register_fonts()
    except FontMissingError as error:
        raise SystemExit(str(error)) from error
    write_contract(ASSETS / "motor_insurance.pdf")
    write_extract(ASSETS / "motor_insurance_extract.pdf")
    write_report(ASSETS / "attention_report.pdf")


if __name__ == "__main__":
    main()
