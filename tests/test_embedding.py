"""Texts as vectors: offline by default, others on request, and nothing sent unasked."""

from __future__ import annotations

import logging
import subprocess
import sys
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.embedding import (
    ModelError,
    choose_embedder,
    default_embedder,
    default_word_vectors,
)
from core.embedding.base import in_batches
from core.embedding.endpoint import EndpointEmbedder, answer_to_vectors
from core.embedding.service import read_service
from core.embedding.static import LONGEST, text_to_words
from core.errors import OptionError
from tests.openai_server import KEY, Answer, Request, Service, refusal, running

ROOT = Path(__file__).parents[1]
VARIABLES = ("ROWLENS_EMBEDDER", "ROWLENS_EMBEDDER_URL", "ROWLENS_EMBEDDER_KEY")
OF_OPENAI = (
    *("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"),
    *("OPENAI_CUSTOM_HEADERS", "OPENAI_WEBHOOK_SECRET"),
)
TEXTS = [
    "Vehicle theft",
    "What is the cap for vehicle theft?",
    "Covered event: Fire | Cap: 10,000 EUR",
    "a  b   c",
    " leading and trailing ",
    "Straße, naïve café; 東京 2019/20",
    "MAXIMUM PATH LENGTH",
    "tab\tand\nline",
    "under▁score▁▁mark",
    "🚗",
]
# A text without any piece is no number there, and says so.
own_warning = pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*VARIABLES, *OF_OPENAI):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def wordllama() -> Any:
    """wordllama itself, as it is loaded by its own means."""
    import wordllama  # type: ignore[import-untyped]

    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)


def embed(texts: Sequence[str]) -> np.ndarray:
    return default_embedder().embed(texts)


def nearness(first: str, second: str) -> float:
    """Of two single words."""
    vectors = default_word_vectors().words([first, second])
    return float(vectors[0] @ vectors[1])


class TestStatic:
    def test_it_is_named_and_the_same_for_all(self) -> None:
        assert default_embedder().name == "wordllama:l2_supercat_256"
        assert choose_embedder().name == "wordllama:l2_supercat_256"

    def test_rows_are_of_unit_length(self) -> None:
        vectors = embed(["Vehicle theft", "Fire"])
        assert vectors.shape == (2, 256)
        assert vectors.dtype == np.float32
        assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-6)

    def test_no_texts_have_a_dimension(self) -> None:
        assert embed([]).shape == (0, 256)
        assert embed([]).dtype == np.float32

    @pytest.mark.parametrize("text", ["", " ", "   ", "—", "$ %", "\n", "\ud800", "🚗🚗", "\x00"])
    def test_what_says_nothing_is_zero(self, text: str) -> None:
        vectors = embed([text, "theft"])
        assert not vectors[0].any()
        assert vectors[1].any()

    def test_meanings_are_near_where_no_word_agrees(self) -> None:
        question, near, far = embed(["number of inhabitants", "total population", "fuel type"])
        assert question @ near > question @ far + 0.3

    def test_it_agrees_with_wordllama(self, wordllama: Any) -> None:
        texts = [text for text in TEXTS if embed([text]).any()]
        assert len(texts) == len(TEXTS) - 1
        assert embed(texts) == pytest.approx(wordllama.embed(texts, norm=True), abs=1e-5)

    @own_warning
    @given(st.text(st.sampled_from("ab Tz9▁,.é東"), min_size=1, max_size=30))
    def test_it_agrees_on_any_text(self, wordllama: Any, text: str) -> None:
        vector = embed([text])[0]
        assert not vector.any() or vector == pytest.approx(
            wordllama.embed([text], norm=True)[0], abs=1e-5
        )

    @given(st.lists(st.text(max_size=20), max_size=6))
    def test_a_text_has_one_vector_whatever_stands_beside_it(self, texts: list[str]) -> None:
        together = embed(texts)
        assert together.shape == (len(texts), 256)
        assert np.isfinite(together).all()
        alone = [embed([text])[0] for text in texts]
        assert all(
            np.allclose(one, row, atol=1e-6) for one, row in zip(alone, together, strict=True)
        )

    def test_control_pieces_in_a_text_are_text(self) -> None:
        assert not np.allclose(embed(["cap<s>theft"]), embed(["cap theft"]))
        assert embed(["<s>"]).any()

    def test_the_end_of_an_endless_text_is_not_read(self) -> None:
        start = "theft " * (LONGEST // 6) + "!" * (LONGEST % 6)
        assert len(start) == LONGEST
        assert embed([start + "and other words"])[0] == pytest.approx(embed([start])[0])

    def test_many_texts_are_pooled_in_parts(self) -> None:
        few = ["Vehicle theft", "Fire", ""]
        assert np.array_equal(embed(few * 7000), np.tile(embed(few), (7000, 1)))

    def test_threads_get_what_one_gets(self) -> None:
        texts = [f"row {number} of table {number % 7}" for number in range(2000)]
        alone = embed(texts)
        with ThreadPoolExecutor(8) as threads:
            assert all(np.array_equal(alone, each) for each in threads.map(embed, [texts] * 16))

    def test_words_are_split_as_the_tokenizer_marks_them(self) -> None:
        assert text_to_words("Vehicle theft") == ["Vehicle", "theft"]
        assert text_to_words("a  b") == ["a", " b"]
        assert text_to_words(" a ") == [" a", ""]
        assert text_to_words("") == [""]
        assert text_to_words("a▁b") == ["a", "b"]

    def test_no_wordllama_names_the_remedy(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from core.embedding.static import load_table

        monkeypatch.setitem(sys.modules, "wordllama", None)
        with pytest.raises(ModelError, match=r"pip install wordllama==0\.4\.0\.post1"):
            load_table()


class TestWords:
    def test_case_does_not_count(self) -> None:
        assert nearness("VEHICLE", "vehicle") == pytest.approx(1)
        assert nearness("PARIS", "paris") == pytest.approx(1)

    def test_near_words(self) -> None:
        assert nearness("car", "vehicle") > 0.6
        assert nearness("events", "event") > 0.6
        assert abs(nearness("theft", "banana")) < 0.1

    @pytest.mark.parametrize("word", ["", "2019", "25,000", "x", "zxqw", "🚗", "—", "險", "\ud800"])
    def test_what_can_only_be_spelled_is_zero(self, word: str) -> None:
        assert not default_word_vectors().words([word]).any()

    def test_an_ideograph_is_a_word(self) -> None:
        assert default_word_vectors().words(["東京"]).any()

    def test_shapes(self) -> None:
        assert default_word_vectors().words([]).shape == (0, 256)
        vectors = default_word_vectors().words(["theft", "2019", "fire"])
        assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 0, 1], abs=1e-6)


class TestChoice:
    def test_the_default_by_any_name(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for spec in ("", " ", "wordllama"):
            assert choose_embedder(spec).name == "wordllama:l2_supercat_256"
            monkeypatch.setenv("ROWLENS_EMBEDDER", spec)
            assert choose_embedder().name == "wordllama:l2_supercat_256"

    @pytest.mark.parametrize("spec", ["word2vec", "openai", "openai:", "sentence-transformers: "])
    def test_others_are_refused_with_the_choices(self, spec: str) -> None:
        with pytest.raises(OptionError) as caught:
            choose_embedder(spec)
        assert f"{spec.strip()!r} does not exist" in str(caught.value)
        assert "wordllama, sentence-transformers:MODEL_OR_FOLDER, openai:MODEL" in str(caught.value)

    def test_importing_core_imports_no_embedding(self) -> None:
        unwanted = ["core.embedding", "wordllama", "tokenizers", "openai", "scipy"]
        assert loaded_by("import core", unwanted) == []

    def test_importing_the_package_imports_no_library(self) -> None:
        unwanted = ["wordllama", "tokenizers", "openai", "httpx2", "scipy", "sentence_transformers"]
        assert loaded_by("import core.embedding", unwanted) == []
        unwanted = ["wordllama", "openai", "httpx2", "sentence_transformers"]
        assert loaded_by("import core.retrieval.llm_shape", unwanted) == []

    def test_the_default_leaves_logging_and_the_network_alone(self) -> None:
        script = """if True:
            import logging, os, socket, warnings
            def refused(*args, **kwargs):
                raise AssertionError("network")
            socket.socket.connect = socket.getaddrinfo = refused
            from core.embedding import default_embedder
            assert default_embedder().embed(["theft"] * 1000).shape == (1000, 256)
            assert logging.getLogger().handlers == [], logging.getLogger().handlers
            assert logging.getLogger().level == logging.WARNING
            assert "TOKENIZERS_PARALLELISM" not in os.environ
            if os.fork() == 0:
                default_embedder().embed(["fire", "theft"])
                os._exit(0)
            assert os.wait()[1] == 0
        """
        done = subprocess.run(
            [sys.executable, "-W", "ignore::DeprecationWarning", "-c", script],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stderr) == (0, "")


class FakeModel:
    """A sentence-transformers model by its real calls: vectors of length and first letter."""

    def __init__(self, model: str, *, local_files_only: bool = False) -> None:
        assert local_files_only
        if model == "missing":
            raise OSError("no such folder")
        self.seen: list[list[str]] = []

    def encode(
        self, sentences: list[str], *, show_progress_bar: bool, convert_to_numpy: bool
    ) -> np.ndarray:
        assert not show_progress_bar
        assert convert_to_numpy
        self.seen.append(sentences)
        if "break" in sentences:
            raise RuntimeError("out of memory")
        return np.array([[len(text), ord(text[0])] for text in sentences], np.float64)


class TestSentenceTransformers:
    """Against a stand-in for the library: it is large, and its models cannot be downloaded here."""

    @pytest.fixture(autouse=True)
    def library(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")
        module = ModuleType("sentence_transformers")
        module.SentenceTransformer = FakeModel  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "sentence_transformers", module)

    def test_vectors_in_order_each_text_once(self) -> None:
        embedder = choose_embedder("sentence-transformers:folder/one")
        vectors = embedder.embed(["aaa", "", "b", "aaa"])
        assert embedder.name == "sentence-transformers:folder/one"
        assert vectors.dtype == np.float32
        expected = [[0.03091, 0.99952], [0, 0], [0.01020, 0.99995], [0.03091, 0.99952]]
        assert vectors == pytest.approx(np.array(expected), abs=1e-4)
        assert embedder._model.seen[-1] == ["aaa", "b"]  # type: ignore[attr-defined]

    def test_nothing_to_embed(self) -> None:
        embedder = choose_embedder("sentence-transformers:folder/two")
        assert embedder.embed([]).shape == (0, 2)
        assert embedder.embed([" "]).tolist() == [[0, 0]]

    def test_loaded_once(self) -> None:
        first = choose_embedder("sentence-transformers:folder/three")
        assert choose_embedder("sentence-transformers: folder/three ") is first

    def test_a_missing_model(self) -> None:
        with pytest.raises(ModelError, match=r"from 'missing' \(OSError\).*hf download missing"):
            choose_embedder("sentence-transformers:missing")

    def test_a_model_that_breaks(self) -> None:
        embedder = choose_embedder("sentence-transformers:folder/four")
        with pytest.raises(
            ModelError, match=r"RuntimeError: out of memory.*unset ROWLENS_EMBEDDER"
        ):
            embedder.embed(["break"])

    def test_a_missing_library(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "sentence_transformers", None)
        with pytest.raises(ModelError, match="pip install sentence-transformers"):
            choose_embedder("sentence-transformers:folder/five")


def word_numbers(request: Request) -> Answer:
    """Vectors (number in the text, 1, 0), out of order, as the API allows."""
    data = [
        {"object": "embedding", "index": place, "embedding": [float(text.split()[-1]), 1.0, 0.0]}
        for place, text in enumerate(request.body["input"])
    ]
    return Answer({"object": "list", "data": data[::-1], "model": request.body["model"]})


def always(answer: Answer) -> Callable[[Request], Answer]:
    return lambda request: answer


class TestEndpoint:
    @pytest.fixture(autouse=True)
    def key(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ROWLENS_EMBEDDER_KEY", KEY)

    def embedder(
        self, service: Service, monkeypatch: pytest.MonkeyPatch, *, seconds: float = 20
    ) -> EndpointEmbedder:
        monkeypatch.setenv("ROWLENS_EMBEDDER_URL", service.url)
        settings = read_service("ROWLENS_EMBEDDER", "small", "unset ROWLENS_EMBEDDER")
        return EndpointEmbedder(settings, seconds=seconds)

    def test_chosen_by_the_environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with running(word_numbers) as service:
            monkeypatch.setenv("ROWLENS_EMBEDDER", "openai:small")
            monkeypatch.setenv("ROWLENS_EMBEDDER_URL", f"{service.url}/")
            embedder = choose_embedder()
            assert embedder.embed(["row 0"]).tolist() == [[0, 1, 0]]
            assert choose_embedder() is embedder
            host = service.url.removeprefix("http://").removesuffix("/v1")
            assert embedder.name == f"openai:small at {host}"
            (request,) = service.requests
        assert request.path == "/v1/embeddings"
        assert request.body == {"model": "small", "input": ["row 0"], "encoding_format": "float"}
        assert request.headers["authorization"] == f"Bearer {KEY}"

    def test_batches_keep_their_order(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with running(word_numbers) as service:
            vectors = self.embedder(service, monkeypatch).embed([f"row {n}" for n in range(600)])
            sizes = [len(request.body["input"]) for request in service.requests]
        assert sizes == [256, 256, 88]
        assert vectors.dtype == np.float32
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(600), abs=1e-6)
        assert vectors[:, 0] / vectors[:, 1] == pytest.approx(np.arange(600), rel=1e-5)

    def test_a_text_is_sent_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with running(word_numbers) as service:
            embedder = self.embedder(service, monkeypatch)
            first = embedder.embed(["row 1", "row 2", "row 1", "", " "])
            again = embedder.embed(["row 2", "row 3", "row 1"])
            sent = [request.body["input"] for request in service.requests]
        assert sent == [["row 1", "row 2"], ["row 3"]]
        assert first[3:].tolist() == [[0, 0, 0], [0, 0, 0]]
        assert np.array_equal(first[:3], again[[2, 0, 2]])

    def test_what_is_kept_is_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("core.embedding.endpoint.KEPT_BYTES", 2 * 3 * 4)
        with running(word_numbers) as service:
            embedder = self.embedder(service, monkeypatch)
            for text in ("row 1", "row 2", "row 1", "row 3", "row 1", "row 2"):
                embedder.embed([text])
            sent = [request.body["input"] for request in service.requests]
        # Row 2 was asked for longest ago when row 3 came.
        assert sent == [["row 1"], ["row 2"], ["row 3"], ["row 2"]]

    def test_nothing_to_embed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        answer = Answer({"data": [{"index": 0, "embedding": [3, 4]}]})
        with running(always(answer)) as service:
            embedder = self.embedder(service, monkeypatch)
            assert embedder.embed([]).shape == (0, 2)
            assert embedder.embed([""]).tolist() == [[0, 0]]
            assert [request.body["input"] for request in service.requests] == [["dimension"]]

    def test_hostile_texts_arrive(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with running(word_numbers) as service:
            self.embedder(service, monkeypatch).embed(['\ud800"\x00 1', "x " * 3999 + "2 and more"])
            sent = service.requests[0].body["input"]
        assert sent[0] == '?"\x00 1'
        assert sent[1] == "x " * 3999 + "2 "

    def test_without_a_key_none_is_sent(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ROWLENS_EMBEDDER_KEY", "")
        for name in OF_OPENAI:
            monkeypatch.setenv(name, "X-Other: of-another-service")
        with running(word_numbers) as service:
            self.embedder(service, monkeypatch).embed(["row 1"])
            (request,) = service.requests
            headers = request.headers
        assert "authorization" not in headers
        assert "of-another-service" not in " ".join(headers.values())

    def test_a_passing_fault_is_tried_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        answers = [refusal(500), refusal(429)]
        with running(lambda asked: answers.pop() if answers else word_numbers(asked)) as service:
            assert self.embedder(service, monkeypatch).embed(["row 0"]).tolist() == [[0, 1, 0]]
            assert len(service.requests) == 3

    @pytest.mark.parametrize(
        ("answer", "says"),
        [
            (refusal(401), "refuses the key (status 401). Set ROWLENS_EMBEDDER_KEY"),
            (refusal(403), "refuses the key (status 403). Set ROWLENS_EMBEDDER_KEY"),
            (refusal(404, "No model\nsmall"), "(status 404: No model small). Check the model"),
            (refusal(400), "(status 400: Incorrect API key provided: ***.)"),
            (refusal(429), "takes no more requests (status 429). Wait"),
            (refusal(500), "fails (status 500). Try again later"),
            (Answer({}, 307, {"Location": "http://127.0.0.1:9/"}), "elsewhere (status 307)"),
            (Answer(b"<html>", 200), "does not answer as it should (no JSON)"),
            (Answer(b"[" * 100_000, 200), "does not answer as it should (no JSON)"),
            (Answer(b"\xff\xfe", 200), "does not answer as it should (no JSON)"),
            (Answer([]), "does not answer as it should (no embeddings of 1 texts)"),
            (Answer({"data": []}), "does not answer as it should (no embeddings of 1 texts)"),
        ],
    )
    def test_faults_are_told_and_the_key_is_not(
        self,
        answer: Answer,
        says: str,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        caplog.set_level(logging.DEBUG)
        with running(always(answer)) as service:
            embedder = self.embedder(service, monkeypatch)
            with pytest.raises(ModelError) as caught:
                embedder.embed(["row 1"])
        told = str(caught.value)
        assert says in told
        assert told.startswith("The service at 127.0.0.1:")
        assert "unset ROWLENS_EMBEDDER" in told
        assert caught.value.__cause__ is None
        assert caught.value.__context__ is None
        assert caplog.records
        shown = [told, repr(caught.value), repr(embedder), repr(embedder._service), caplog.text]
        shown += traceback.format_exception(caught.value)
        assert [text for text in shown if KEY in text] == []

    @pytest.mark.parametrize(
        ("answer", "says"),
        [
            (Answer({}, wait=30), "does not answer in time"),
            (Answer(b" " * 1000, drip=0.05), "does not answer in time"),
        ],
    )
    def test_slow_services_are_left(
        self, answer: Answer, says: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("core.embedding.endpoint.RETRIES", 0)
        with running(always(answer)) as service:
            embedder = self.embedder(service, monkeypatch, seconds=0.3)
            with pytest.raises(ModelError, match=says):
                embedder.embed(["row 1"])

    def test_endless_answers_are_left(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("core.embedding.endpoint.MOST_BYTES", 10_000)
        vector = b'{"data": [{"index": 0, "embedding": [1, 2]}]}'
        with running(always(Answer(b" " * 100_000 + vector))) as service:
            embedder = self.embedder(service, monkeypatch)
            with pytest.raises(ModelError, match=r"as it should \(more than 10,000 bytes"):
                embedder.embed(["row 1"])

    def test_nobody_there(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("core.embedding.endpoint.RETRIES", 0)
        with running(word_numbers) as service:
            pass
        with pytest.raises(ModelError, match=r"cannot be reached.*Check that it runs"):
            self.embedder(service, monkeypatch).embed(["row 1"])

    def test_a_model_that_changes_its_dimension(self, monkeypatch: pytest.MonkeyPatch) -> None:
        sizes = iter([3, 4])
        with running(
            lambda asked: Answer({"data": [{"index": 0, "embedding": [1] * next(sizes)}]})
        ) as service:
            embedder = self.embedder(service, monkeypatch)
            embedder.embed(["one"])
            with pytest.raises(ModelError, match="4 dimensions, 3 before"):
                embedder.embed(["two"])

    @pytest.mark.parametrize(
        ("url", "key", "says"),
        [
            ("", KEY, "ROWLENS_EMBEDDER_URL is not set"),
            ("localhost:8080", KEY, "is no address of a service"),
            ("file:///etc/passwd", KEY, "is no address of a service"),
            (f"https://me:{KEY}@host/v1", "", "is no address of a service"),
            (f"https://host/v1?key={KEY}", "", "is no address of a service"),
            ("https://host:port/v1", KEY, "is no address of a service"),
            ("https://[/v1", KEY, "is no address of a service"),
            ("http://models.example/v1", KEY, "plain http is for this machine only"),
            ("https://models.example/v1", f"{KEY}\nX: y", "holds characters that no key has"),
        ],
    )
    def test_settings_are_checked_before_anything_is_sent(
        self, url: str, key: str, says: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ROWLENS_EMBEDDER_URL", url)
        monkeypatch.setenv("ROWLENS_EMBEDDER_KEY", key)
        with pytest.raises(OptionError) as caught:
            choose_embedder("openai:small")
        assert says in str(caught.value)
        assert KEY not in str(caught.value)

    def test_a_missing_library(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ROWLENS_EMBEDDER_URL", "https://models.example/v1")
        monkeypatch.setitem(sys.modules, "openai", None)
        with pytest.raises(ModelError, match="pip install openai"):
            choose_embedder("openai:not-asked-before")


@pytest.mark.parametrize(
    "answer",
    [
        None,
        {"data": None},
        {"data": [{"index": 0}]},
        {"data": [{"index": 1, "embedding": [1.0]}]},
        {"data": [{"index": 0, "embedding": []}]},
        {"data": [{"index": 0, "embedding": "AACAPw=="}]},
        {"data": [{"index": 0, "embedding": [None, 1]}]},
        {"data": [{"index": 0, "embedding": [float("nan")]}]},
        {"data": [{"index": 0, "embedding": [1e300]}]},
        {"data": [{"index": 0, "embedding": [[1.0]]}]},
        {"data": [{"index": 0, "embedding": [1.0]}] * 2},
    ],
)
@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
def test_answers_of_another_kind_are_refused(answer: Any) -> None:
    with pytest.raises((TypeError, ValueError, KeyError, OverflowError)):
        answer_to_vectors(answer, 1)


def test_batches_by_texts_and_characters() -> None:
    texts = ["aaa", "b", "cc", "dddddd", "e"]
    assert list(in_batches(texts, 2, 100)) == [["aaa", "b"], ["cc", "dddddd"], ["e"]]
    assert list(in_batches(texts, 9, 4)) == [["aaa", "b"], ["cc"], ["dddddd"], ["e"]]
    assert list(in_batches([], 9, 4)) == []


def loaded_by(statement: str, names: list[str]) -> list[str]:
    """Which modules a fresh Python has loaded after a statement."""
    script = f"import sys; {statement}; print(*[name for name in {names!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.split()
