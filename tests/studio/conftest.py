"""One studio for all tests that leave no question running."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.studio.client import StudioPage


@pytest.fixture(scope="session")
def shared_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudioPage]:
    """A studio in an empty folder; for tests that leave no question running."""
    for module in ("starlette", "uvicorn", "httpx"):
        pytest.importorskip(module, reason="needs covr[studio]")
    from tests.studio.client import studio

    folder = tmp_path_factory.mktemp("studio")
    with studio(str(folder), folder=folder) as page:
        yield page
