"""Text -> comparable keys, in several languages, one text at a time and in bulk.

text -> pieces (segment) -> keys (numbers, dates, stems) -> tokens of a column (bulk)
question -> terms (questions), typos and inflections among known keys (fuzzy)
"""

from core.words.bulk import Tokens, texts_to_keys
from core.words.fuzzy import FuzzyVocabulary, closest_keys
from core.words.names import is_unit
from core.words.questions import Term, phrases, question_to_terms
from core.words.segment import Piece, text_to_keys, text_to_pieces
from core.words.stems import word_to_key

__all__ = [
    "FuzzyVocabulary",
    "Piece",
    "Term",
    "Tokens",
    "closest_keys",
    "is_unit",
    "phrases",
    "question_to_terms",
    "text_to_keys",
    "texts_to_keys",
    "text_to_pieces",
    "word_to_key",
]
