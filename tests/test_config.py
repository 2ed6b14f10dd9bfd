"""What the server is started with: local, silent, guarded."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from core.limits import Limits

CONFIG = Path(__file__).parents[1] / ".streamlit" / "config.toml"


@pytest.fixture(scope="module")
def config() -> dict[str, Any]:
    return tomllib.loads(CONFIG.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("server", "address", "127.0.0.1"),
        ("server", "enableXsrfProtection", True),
        ("server", "enableCORS", True),
        ("browser", "gatherUsageStats", False),
        ("runner", "magicEnabled", False),
    ],
)
def test_the_server_is_local_silent_and_guarded(
    config: dict[str, Any], section: str, key: str, value: object
) -> None:
    assert config[section][key] == value


def test_an_upload_may_be_as_large_as_a_document(config: dict[str, Any]) -> None:
    assert config["server"]["maxUploadSize"] == Limits().file_mb


def test_every_setting_has_its_reason() -> None:
    """A comment stands above each server setting, or above the one it goes with."""
    server = CONFIG.read_text(encoding="utf-8").split("[server]")[1].split("\n[")[0]
    assert server.strip().startswith("#")
