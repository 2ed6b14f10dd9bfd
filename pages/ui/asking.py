"""A question under the settings chosen, with the models that are set up; where one fails, the
answer is worked out without it, and the page says so."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core import Index, Retrieval
from core.embedding import choose_embedder
from core.errors import RowlensError
from core.retrieval.llm_shape import ShapeModel, choose_shape_model
from pages.ui import state

MEANING, SHAPE = "meaning", "shape"
"""What a model is used for."""
BY_MODEL = "model"
"""The shape, as the sidebar and the URL have it, where a model is to tell it."""


@dataclass(frozen=True)
class Settings:
    """How to retrieve."""

    use_keywords: bool
    use_dense: bool
    use_toc: bool
    use_row_level: bool | None
    shape: str | None
    shape_by_model: bool
    encoding: str

    @property
    def arguments(self) -> dict[str, object]:
        """What differs from the defaults of `retrieve`, by its arguments' names."""
        given = {
            "use_keywords": self.use_keywords or None,
            "use_dense": self.use_dense or None,
            "use_toc": self.use_toc or None,
        }
        switched = {name: False for name, on in given.items() if on is None}
        chosen = {"use_row_level": self.use_row_level, "shape": self.shape}
        return switched | {name: one for name, one in chosen.items() if one is not None}

    def ask(self, index: Index, question: str, threshold: float) -> Retrieval:
        """The answer. A model that failed for this question is not asked again by itself."""
        shape, reason = (self.shape, "") if not self.shape_by_model else _shape(question)
        retrieval = self._retrieve(index, question, threshold, shape)
        return replace(retrieval, shape_reason=reason) if reason else retrieval

    def _retrieve(
        self, index: Index, question: str, threshold: float, shape: str | None
    ) -> Retrieval:
        def retrieve(*, use_dense: bool) -> Retrieval:
            return index.retrieve(
                question,
                use_keywords=self.use_keywords,
                use_dense=use_dense,
                use_toc=self.use_toc,
                use_row_level=self.use_row_level,
                shape=shape,
                widen_threshold=threshold,
                encoding=self.encoding,
            )

        if not self.use_dense or state.failure(MEANING, question):
            return retrieve(use_dense=False)
        try:
            return retrieve(use_dense=True)
        except RowlensError as problem:
            state.set_failure(MEANING, question, str(problem))
            return retrieve(use_dense=False)


def embedder_name() -> str:
    """What embeds, or why nothing can."""
    try:
        return choose_embedder().name
    except RowlensError as problem:
        return str(problem)


def shape_model() -> ShapeModel | str | None:
    """The model that may tell shapes, or why there is none although one is set up."""
    try:
        return choose_shape_model()
    except RowlensError as problem:
        return str(problem)


def failures(question: str) -> dict[str, str]:
    """What is asked for now and could not be used for the question: MEANING or SHAPE, and why."""
    wanted = {MEANING: state.is_on(state.MEANING), SHAPE: state.setting(state.SHAPE) == BY_MODEL}
    found = {what: state.failure(what, question) for what, asked in wanted.items() if asked}
    return {what: problem for what, problem in found.items() if problem}


def _shape(question: str) -> tuple[str | None, str]:
    """Shape and reason by the model, which keeps its answers; by the rules where it fails."""
    model = shape_model()
    if not isinstance(model, ShapeModel) or state.failure(SHAPE, question):
        return None, ""
    try:
        shape, reason = model.ask(question)
    except RowlensError as problem:
        state.set_failure(SHAPE, question, str(problem))
        return None, ""
    return shape, f"{reason} (by {model.name})"
