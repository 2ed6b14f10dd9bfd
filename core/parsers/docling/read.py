"""DoclingDocument -> blocks of lines in docling's reading order. Pure.

Text is plain, without Markdown's escapes and emphasis; tables, list marks, code fences and
formulas are as docling's Markdown has them. Captions stand directly before what they belong to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from core.parsers.docling.boxes import NO_BOX, Box, Geometry, union
from core.parsers.docling.tables import TableLine, check_grid, table_to_lines

if TYPE_CHECKING:
    from docling_core.types.doc import DoclingDocument

_CLASSES = {
    "title": "title",
    "section_header": "section-header",
    "caption": "caption",
    "list_item": "list-item",
    "formula": "formula",
    "code": "code",
    "footnote": "footnote",
    "page_header": "page-header",
    "page_footer": "page-footer",
}
"""docling's labels that have a class of their own; all else is text."""

PICTURE_CAPTION = "picture-caption"
"""Not "caption": it would be taken for that of a table that follows."""

_FURNITURE = ("page-header", "page-footer")
_HASHES = re.compile(r"#{1,6} ")


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, table, ... with its lines."""

    kind: str
    lines: Sequence[TableLine]
    level: int = 0
    """Of a heading, from 1; 0 for all else."""


class Reader:
    """Walks one document once; an item that another one holds is not read again."""

    def __init__(self, document: DoclingDocument, geometry: Geometry, name: str) -> None:
        from docling_core.transforms.serializer.markdown import (
            MarkdownDocSerializer,
            MarkdownParams,
        )
        from docling_core.types.doc import ContentLayer, DocItemLabel

        self._document, self._geometry, self._name = document, geometry, name
        self._layers = {ContentLayer.BODY, ContentLayer.FURNITURE}
        self._as_markdown = MarkdownDocSerializer(doc=document)
        self._as_text = MarkdownDocSerializer(
            doc=document,
            params=MarkdownParams(
                layers=self._layers,
                labels=set(DocItemLabel) - {DocItemLabel.CAPTION},
                escape_html=False,
                escape_underscores=False,
                include_formatting=False,
                include_hyperlinks=False,
            ),
        )
        self._visited: set[str] = set()
        self._numbers: dict[str, dict[str, str]] = {}
        floating = [*document.tables, *document.pictures, *document.key_value_items]
        floating += [*document.form_items, *(t for t in document.texts if hasattr(t, "captions"))]
        self._held = {ref.cref for item in floating for ref in (*item.captions, *item.footnotes)}
        has_title = any(text.label.value == "title" for text in document.texts)
        self._below_title = int(has_title)

    def blocks(self) -> Iterator[Block]:
        """All blocks in reading order."""
        for item, _ in self._document.iterate_items(
            with_groups=True, included_content_layers=self._layers
        ):
            if item.self_ref not in self._visited and item.self_ref not in self._held:
                yield from self._item(item)

    def _item(self, item: Any) -> Iterator[Block]:
        from docling_core.types.doc import (
            FloatingItem,
            FormItem,
            InlineGroup,
            KeyValueItem,
            PictureItem,
            TableItem,
            TextItem,
        )

        self._visited.add(item.self_ref)
        is_floating = isinstance(item, FloatingItem)
        # Before the table: its serializer takes the captions for read.
        captions = list(self._texts(item.captions)) if is_floating else []
        rows: list[TableLine] = []
        if isinstance(item, TableItem):
            check_grid(item, self._name)
            rows = table_to_lines(item, self._as_markdown, self._visited, self._geometry)
        elif isinstance(item, PictureItem):
            rows = [(self._page(item), row, NO_BOX) for row in self._chart(item)]
        for caption in captions:
            of_none = caption.kind == "caption" and not rows
            yield replace(caption, kind=PICTURE_CAPTION) if of_none else caption
        if rows:
            yield Block("table", rows)
        elif isinstance(item, KeyValueItem | FormItem):
            loose = [cell for cell in item.graph.cells if cell.item_ref is None]
            for cell in loose:
                yield Block("text", [(self._page(cell), cell.text, self._box([cell.prov]))])
        elif isinstance(item, InlineGroup | TextItem):
            yield self._text(item)
        elif item.label.value == "sheet":
            yield from self._sheet(item)
        if is_floating:
            yield from self._texts(item.footnotes)

    def _texts(self, refs: Iterable[Any]) -> Iterator[Block]:
        """Captions or footnotes of an item, in the layers that are read."""
        from docling_core.types.doc import TextItem

        for ref in refs:
            item = ref.resolve(self._document)
            if item.self_ref not in self._visited and item.content_layer in self._layers:
                self._visited.add(item.self_ref)
                if isinstance(item, TextItem):
                    yield self._text(item)

    def _sheet(self, group: Any) -> Iterator[Block]:
        """A workbook's sheet by its name. Without this line a table that ends one sheet would
        run on into the next, as over a page break."""
        provs = self._provs(group)
        if provs:
            name = group.name.removeprefix("sheet: ")
            yield Block("section-header", [(provs[0].page_no, name, NO_BOX)], level=1)

    def _text(self, item: Any) -> Block:
        provs = self._provs(item)
        label = item.label.value
        kind = _CLASSES.get(label, "text")
        if item.content_layer.value == "furniture" and kind not in _FURNITURE:
            kind = _FURNITURE[0]
        text = self._plain(item)
        if label in ("title", "section_header"):
            text = _HASHES.sub("", text, count=1)
        page, box = provs[0].page_no if provs else 0, self._box(provs)
        lines = [(page, line, box) for line in _lines(text, is_code=label == "code")]
        level = 0
        if kind == "title":
            level = 1
        elif kind == "section-header":
            level = item.level + self._below_title if hasattr(item, "level") else 1
        return Block(kind, lines, level)

    def _plain(self, item: Any) -> str:
        from docling_core.types.doc import InlineGroup

        serializer = self._as_text
        part = (
            serializer.inline_serializer
            if isinstance(item, InlineGroup)
            else serializer.text_serializer
        )
        if item.label.value == "formula" and not item.text:
            return str(item.orig)
        if item.label.value == "list_item" and not item.marker:
            item = item.model_copy(update={"marker": self._number(item)})
        return part.serialize(
            item=item,
            doc_serializer=serializer,
            doc=self._document,
            visited=self._visited,
            **serializer.params.model_dump(),
        ).text

    def _number(self, item: Any) -> str:
        """The mark of an item that has none, in a numbered list: its number. docling would find
        the same by looking through the list once per item."""
        from docling_core.types.doc import ListGroup

        if item.parent is None:
            return ""
        ref = item.parent.cref
        if ref not in self._numbers:
            group = item.parent.resolve(self._document)
            counts = isinstance(group, ListGroup) and group.first_item_is_enumerated(self._document)
            children = group.children if counts else []
            self._numbers[ref] = {
                child.cref: f"{number}." for number, child in enumerate(children, start=1)
            }
        return self._numbers[ref].get(item.self_ref, "")

    def _chart(self, item: Any) -> list[str]:
        """The table that docling's Markdown writes for a chart whose values are known."""
        text = self._as_markdown.serialize(item=item, visited=self._visited).text
        return [line for line in text.split("\n") if is_pipe_row(line)]

    def _provs(self, item: Any) -> list[Any]:
        """Where an item is printed: its own places, or those of the items it is made of."""
        own = list(getattr(item, "prov", []))
        if own:
            return own
        children = (ref.resolve(self._document) for ref in item.children)
        return [prov for child in children for prov in getattr(child, "prov", [])]

    def _page(self, item: Any) -> int:
        provs = item.prov if isinstance(item.prov, list) else [item.prov]
        return provs[0].page_no if provs and provs[0] else 0

    def _box(self, provs: Sequence[Any]) -> Box:
        """Around the places on the first page."""
        known = [prov for prov in provs if prov]
        return union(
            self._geometry.box(prov.page_no, prov.bbox)
            for prov in known
            if prov.page_no == known[0].page_no
        )


def is_pipe_row(text: str) -> bool:
    """Whether a line would read as a row of a table."""
    bare = text.strip()
    return len(bare) > 1 and bare.startswith("|") and bare.endswith("|")


def _lines(text: str, *, is_code: bool) -> list[str]:
    """Printed lines: of code as they are, of all else without the blank ones."""
    if is_code:
        return text.split("\n")
    return [line.strip() for line in text.split("\n") if line.strip()]
