"""Question sets with what is expected of them -> every threshold at once -> the one to take.

`question_set` reads and writes sets, `expectations` finds the rows they name, `sweep` works out all
thresholds from one answer per question, `recommend` chooses.
"""

from core.tuning.answers import Answer, keep_answer
from core.tuning.expectations import Resolved, resolve
from core.tuning.question_set import (
    QuestionSet,
    TuneQuestion,
    questions_to_csv,
    questions_to_jsonl,
    read_questions,
)
from core.tuning.recommend import Recommendation, recommend
from core.tuning.sweep import Sweep, sweep

__all__ = [
    "Answer",
    "QuestionSet",
    "Recommendation",
    "Resolved",
    "Sweep",
    "TuneQuestion",
    "keep_answer",
    "questions_to_csv",
    "questions_to_jsonl",
    "read_questions",
    "recommend",
    "resolve",
    "sweep",
]
