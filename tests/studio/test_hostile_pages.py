"""A hostile page gets nothing from the studio."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytestmark = pytest.mark.long

pytest.importorskip("starlette", reason="needs covr[studio]")
pytest.importorskip("uvicorn", reason="needs covr[studio]")
httpx = pytest.importorskip("httpx", reason="needs httpx")

from covr.studio.asking import StudioLimits  # noqa: E402
from tests.studio.client import PAGE, StudioPage, raw, studio  # noqa: E402

if TYPE_CHECKING:
    from httpx import Response

ADDRESSES = [
    ("GET", "/"), ("GET", "/static/app.js"), ("GET", "/api/start"), ("GET", "/api/gallery/sudoku"),
    ("GET", "/api/files"), ("GET", "/api/file?path=a.cover"), ("GET", "/api/page/p"), ("GET", "/api/line/x"),
    ("GET", "/api/jobs/x/events"),
    ("POST", "/api/analyse"), ("POST", "/api/jobs"), ("POST", "/api/line/x"), ("POST", "/api/picture"),
    ("PUT", "/api/file"),
]  # fmt: skip
SEALED = ("content-security-policy", "x-content-type-options", "referrer-policy", "x-frame-options",
          "cross-origin-resource-policy", "cross-origin-opener-policy")  # fmt: skip


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudioPage]:
    folder = tmp_path_factory.mktemp("hostile")
    inside = folder / "inside"
    inside.mkdir()
    (inside / "a.cover").write_text("secret")
    (folder / "secret.txt").write_text("zebra words")
    with studio(str(inside), folder=folder) as found:
        yield found


def asked(page: StudioPage, method: str, path: str, cookie: bool = True, **headers: str) -> Response:
    """What another page, or program, is answered."""
    cookies = dict(page.http.cookies) if cookie else {}
    body = {"json": {"page": "p", "text": "", "path": "a.cover"}} if method != "GET" else {}
    # Without encryption nothing is verified; certificates would be read all the same, for 30 ms.
    with httpx.Client(base_url=page.base, cookies=cookies, timeout=30, verify=False) as client:
        return client.request(method, path, headers=headers, **body)


@pytest.mark.parametrize(("method", "path"), ADDRESSES)
def test_nothing_is_told_without_the_cookie(page: StudioPage, method: str, path: str) -> None:
    found = asked(page, method, path, cookie=False)
    assert found.status_code == 403 and "secret" not in found.text and page.token not in found.text
    assert all(name in found.headers for name in SEALED)


@pytest.mark.parametrize(("method", "path"), ADDRESSES)
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"}, {"Host": "evil.example:{port}"}, {"Host": "127.0.0.1"}, {"Host": "127.0.0.1:1"},
        {"Host": "localhost.evil.example:{port}"}, {"Host": "[::1]:{port}"}, {"Host": ""},
        {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "http://127.0.0.1:1"},
        {"Origin": "https://127.0.0.1:{port}"}, {"Origin": "http://localhost:{port}"}, {"Origin": ""},
    ],
)  # fmt: skip
def test_nothing_is_told_where_the_cookie_comes_from_elsewhere(
    page: StudioPage, method: str, path: str, headers: dict[str, str]
) -> None:
    """The cookie arrives although it should not: by DNS rebinding, from another origin, or from another port of this
    machine."""
    found = asked(page, method, path, **{name: value.format(port=page.port) for name, value in headers.items()})
    assert found.status_code in (400, 403) and "secret" not in found.text


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize(("method", "path"), ADDRESSES[1:])
def test_an_image_or_script_of_another_page_gets_nothing(page: StudioPage, method: str, path: str, site: str) -> None:
    assert asked(page, method, path, **{"Sec-Fetch-Site": site}).status_code == 403


def test_both_names_of_this_machine_are_let_in(page: StudioPage) -> None:
    for name in ("127.0.0.1", "localhost"):
        host = f"{name}:{page.port}"
        assert asked(page, "GET", "/api/start", Host=host, Origin=f"http://{host}").status_code == 200


def test_no_header_invites_other_pages(page: StudioPage) -> None:
    for method, path in [("OPTIONS", "/api/jobs"), ("GET", "/api/start"), ("POST", "/api/analyse")]:
        found = asked(page, method, path)
        assert not [name for name in found.headers if name.startswith("access-control")]
        policy = found.headers["content-security-policy"]
        assert "default-src 'self'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy


def test_the_token_becomes_a_cookie_that_no_script_reads(page: StudioPage) -> None:
    for wrong in ("", "x", page.token[:-1], page.token + "x", "é"):
        found = asked(page, "GET", f"/?token={wrong}", cookie=False)
        assert found.status_code == 403 and "set-cookie" not in found.headers
    found = asked(page, "GET", f"/?token={page.token}", cookie=False)
    assert found.status_code == 303 and found.headers["location"] == "/"
    cookie = found.headers["set-cookie"]
    assert "HttpOnly" in cookie and "samesite=strict" in cookie.lower() and page.token not in cookie
    found = asked(page, "GET", f"/?token={page.token}", cookie=False, Origin="http://evil.example")
    assert found.status_code == 403 and "set-cookie" not in found.headers


def test_a_form_of_another_page_is_no_request(page: StudioPage) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        found = page.http.post("/api/jobs", content=b'{"kind": "count", "text": ""}', headers={"Content-Type": kind})
        assert found.status_code == 415


def test_nonces_are_used_once(page: StudioPage) -> None:
    policies = {page.http.get("/api/start").headers["content-security-policy"] for _ in range(5)}
    assert len(policies) == 5


@pytest.mark.parametrize(
    "path",
    ["../secret.txt", "..%2fsecret.txt", "/etc/passwd", "%2fetc%2fpasswd", "a/../../secret.txt", "....//secret.txt",
     "..\\secret.txt", "a.cover%00.txt"],
)  # fmt: skip
def test_files_elsewhere_are_not_served(page: StudioPage, path: str) -> None:
    for address in (f"/api/file?path={path}", f"/static/{path}", f"/api/gallery/{path}"):
        found = page.http.get(address)
        assert found.status_code in (400, 403, 404) and "zebra" not in found.text and "root:" not in found.text
    answer = raw(page.port, f"GET /static/../../app.py HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\n"
                 f"Cookie: {'; '.join(f'{k}={v}' for k, v in page.http.cookies.items())}\r\n\r\n")  # fmt: skip
    assert " 404 " in answer.split("\r\n")[0]


def test_a_model_reads_only_the_folder(page: StudioPage) -> None:
    """A model may come from a stranger: what it names is looked for in the folder of the studio only."""
    for text in (
        'use "../outside"',
        'let x = file("../secret.txt")',
        'let x = file("/etc/passwd")',
        'use "/etc/passwd"',
    ):
        (fault,) = [d for n, d in page.ask("puzzle", f"{text}\ncells r in 1..2\n") if n == "fault"]
        assert fault["faults"] and "zebra" not in json.dumps(fault) and "root:" not in json.dumps(fault)
    for data in ("@../secret.txt", "@/etc/passwd", "@inside/../../secret.txt"):
        events = dict(page.ask("puzzle", 'param p = "x"\ncells r in 1..2\nchoose a(r)\n', data={"p": data}))
        assert events["end"]["status"] == "fault" and 'secret"' not in json.dumps(events)
    (Path(str(page.http.get("/api/start").json()["folder"])) / "data.txt").write_text("hello")
    events = dict(page.ask("puzzle", 'param p = text """x"""\ncells r in 1..2\nchoose a(r)\n', data={"p": "@data.txt"}))
    assert "hello" in events["params"]["params"][0]["value"]


HIDDEN = ("@.env", "@.git/config", "@inside/../.env", "@link.txt", "@../outside.xlsx#/../..", "@.book.xlsx#a")
NAMING = 'let x = file("{}")\ncells r in 1..2\nchoose a(r) where r = x\n'


def test_a_model_reads_no_hidden_file_by_any_name(page: StudioPage) -> None:
    """Neither by `file` and `use`, nor by a value that the page gives, nor through a link, nor as a sheet."""
    root = Path(str(page.http.get("/api/start").json()["folder"]))
    (root / ".git").mkdir(exist_ok=True)
    for name in (".env", ".git/config", ".hidden.cover", ".book.xlsx"):
        (root / name).write_text("let zebra = 1\n")
    with suppress(FileExistsError):
        (root / "link.txt").symlink_to(root / ".env")
    reader = 'param p = text """x"""\ncells r in 1..2\nchoose a(r)\ntitle "{p}"\n'
    asked = [page.ask("puzzle", reader, data={"p": data}) for data in HIDDEN]
    asked += [page.ask("puzzle", NAMING.format(data[1:])) for data in HIDDEN]
    asked.append(page.ask("puzzle", 'use ".hidden"\ncells r in 1..zebra\nchoose a(r)\n'))
    for events in asked:
        assert dict(events)["end"]["status"] == "fault"
        assert "zebra = 1" not in json.dumps(events)
    said = page.post("/api/analyse", text='use ".hidden"\ncells r in 1..zebra\n')
    assert "hidden files" in json.dumps(said["faults"])


def test_a_model_of_a_link_reads_no_file_before_it_may(page: StudioPage) -> None:
    root = Path(str(page.http.get("/api/start").json()["folder"]))
    (root / "two.txt").write_text("2")
    (root / "near.cover").write_text("let near = 2\n")
    used = 'use "near"\ncells r in 1..near\nchoose a(r)\n'
    given = 'param p = text """x"""\ncells r in 1..2\nchoose a(r)\n'
    for text, data in ((NAMING.format("two.txt"), {}), (used, {}), (given, {"p": "@two.txt"})):
        for foreign in (True, False, True):
            events = dict(page.ask("count", text, data=data, foreign=foreign))
            assert ("fault" in events) == foreign
            assert not foreign or "came by a link" in json.dumps(events["fault"])
    for foreign in (True, False):
        faults = page.post("/api/analyse", text=used, foreign=foreign)["faults"]
        assert ("came by a link" in json.dumps(faults)) == foreign
    shipped = 'use "std/sudoku"\ncells r in 1..2\nchoose a(r)\nexpect 4 solutions\n'
    assert "came by a link" not in json.dumps(page.ask("count", shipped, foreign=True))


def test_half_open_connections_do_not_lock_the_page_out(page: StudioPage) -> None:
    """More of them than there is room for, and as many that are refused and never go."""
    opened = []
    try:
        for head in ("GET / HTTP/1.1\r\nHost:", f"GET /api/files HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\n\r\n"):
            for _ in range(300):
                one = socket.create_connection(("127.0.0.1", page.port), timeout=10)
                one.sendall(head.encode())
                opened.append(one)
        with httpx.Client(base_url=page.base, timeout=10, cookies=dict(page.http.cookies)) as fresh:
            assert fresh.get("/api/files").status_code == 200
        assert page.http.get("/api/start").status_code == 200
    finally:
        for one in opened:
            one.close()


def test_a_model_has_so_many_letters(page: StudioPage) -> None:
    for path in ("/api/jobs", "/api/analyse"):
        most = StudioLimits().text
        found = page.http.post(path, json={"page": PAGE, "kind": "count", "text": "x" * (most + 1)})
        assert (found.status_code, f"{most:,} letters" in found.text) == (413, True)


@pytest.mark.parametrize("declared", [True, False])
def test_ten_megabytes_are_survived(page: StudioPage, declared: bool) -> None:
    body = json.dumps({"page": "p", "text": "x" * 10_000_000}).encode()
    content: Any = body if declared else iter([body[at : at + 65536] for at in range(0, len(body), 65536)])
    try:
        found = page.http.post("/api/analyse", content=content, headers={"Content-Type": "application/json"})
        assert found.status_code == 413
    except (httpx.WriteError, httpx.ReadError, httpx.RemoteProtocolError):  # it was hung up on, which is as good
        pass
    assert page.http.get("/api/start").status_code == 200


@pytest.mark.parametrize(
    "body",
    ["", "[]", "null", "{", '{"text": 1}', '{"text": null}', '{"kind": "count"}', "[" * 100_000, '{"text": "\\ud800"}',
     '{"kind": "gallery", "text": ""}', '{"kind": "convert", "text": "<svg/>"}', '{"kind": "x", "text": ""}',
     '{"kind": "count", "text": "", "data": [1]}', '{"kind": "count", "text": "", "data": {"a": 1}}',
     '{"kind": "count", "text": "", "options": 1}', '{"kind": "count", "text": "", "page": 1}'],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/api/analyse", "/api/jobs", "/api/hover", "/api/picture", "/api/jobs/x/more"])
def test_requests_that_make_no_sense(page: StudioPage, path: str, body: str) -> None:
    found = page.http.post(path, content=body.encode(), headers={"Content-Type": "application/json"})
    assert found.status_code in (200, 400, 403, 404) and "Traceback" not in found.text
    if found.status_code == 200:
        assert path == "/api/analyse" and "text" in body


def test_too_many_questions_of_one_page_are_refused(page: StudioPage) -> None:
    endless = "cells r, c in 1..30\nchoose a(r, c)\nexactly one a per r\nat most one a per c\nat most one a per r + c\n"
    ids = []
    for _ in range(20):
        found = page.http.post("/api/jobs", json={"page": PAGE, "kind": "count", "text": endless})
        if found.status_code == 429:
            break
        ids.append(found.json()["id"])
    assert len(ids) == 6 and "stop one" in found.json()["error"]
    for id in ids:
        page.post(f"/api/jobs/{id}/stop")
    deadline = time.monotonic() + 30
    while page.http.post("/api/jobs", json={"page": PAGE, "kind": "count", "text": ""}).status_code == 429:
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_thousands_of_requests_are_slowed_down() -> None:
    """Those without the cookie get nothing, and do not use up what the page may ask."""
    with studio() as page:
        host = f"Host: 127.0.0.1:{page.port}\r\n"
        cookie = f"Cookie: {'; '.join(f'{k}={v}' for k, v in page.http.cookies.items())}\r\n"
        refused = [raw(page.port, f"GET /api/start HTTP/1.1\r\n{host}\r\n") for _ in range(200)]
        assert {answer.split()[1] for answer in refused} == {"403"}
        assert all("connection: close" in answer.lower() for answer in refused), "they keep no room"
        assert page.http.get("/api/start").status_code == 200
        found = statuses(page.port, f"GET /api/nothing HTTP/1.1\r\n{host}{cookie}\r\n", 1500)
        assert set(found) == {404, 429} and found[0] == 404
        time.sleep(1.5)
        assert page.http.get("/api/start").status_code == 200


def statuses(port: int, request: str, number: int) -> list[int]:
    """What is answered to the same request many times, over one connection."""
    with socket.create_connection(("127.0.0.1", port), 60) as connection, connection.makefile("rb") as answers:
        found: list[int] = []
        while len(found) < number:
            wanted = len(found) + 50
            connection.sendall(request.encode() * 50)
            while len(found) < wanted:
                line = answers.readline()
                assert line, "the connection was closed"
                if b"HTTP/1.1 " in line:
                    found.append(int(line.partition(b"HTTP/1.1 ")[2].split()[0]))
        return found


def test_what_is_no_http(page: StudioPage) -> None:
    host = f"Host: 127.0.0.1:{page.port}\r\n"
    cookie = f"Cookie: {'; '.join(f'{k}={v}' for k, v in page.http.cookies.items())}\r\n"
    for request in (
        "nonsense\r\n\r\n",
        f"GET / HTTP/1.1\r\n{host}{host}\r\n",
        f"GET /api/start HTTP/1.1\r\n{host}Host: evil.example\r\n{cookie}\r\n",
        f"POST /api/analyse HTTP/1.1\r\n{host}{cookie}Content-Type: application/json\r\nContent-Length: -5\r\n\r\n",
        f"POST /api/analyse HTTP/1.1\r\n{host}{cookie}Content-Type: application/json\r\nContent-Length: x\r\n\r\n",
        f"GET / HTTP/1.1\r\n{host}X: {'x' * 200_000}\r\n\r\n",
    ):
        status = raw(page.port, request).split("\r\n")[0]
        assert " 4" in status or status == ""
    upgrade = (
        f"GET / HTTP/1.1\r\n{host}{cookie}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    )
    assert " 101 " not in raw(page.port, f"{upgrade}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    assert page.http.get("/api/start").status_code == 200
