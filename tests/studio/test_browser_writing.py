"""The pane in which models are written, and the one for their data, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from covr.dsl.diagnostics import Source
from covr.dsl.format import format_model
from tests.studio.browser import LETTERS, QUEENS, SUDOKU, Tab, chromium, server, tab, text_of

pytestmark = pytest.mark.long

__all__ = ["chromium", "server"]  # fixtures
SOLVED = "1324423124133142"


def test_no_letter_is_lost_while_a_model_is_typed(server: Any, chromium: Any) -> None:
    """Half a statement has a fault and the whole model has a picture; no letter is lost."""
    with tab(chromium, server.address) as page:
        page.write("")
        first, rest = QUEENS.split("\n", 1)
        page.page.keyboard.type(first + "\nchoose quee", delay=LETTERS)
        page.faults()
        assert page.page.locator(".cm-lintRange-error").count() > 0
        page.page.keyboard.press("Control+a")
        # The editor closes quotes and brackets by itself, and typing them steps over.
        page.page.keyboard.type(first + "\n" + rest.rstrip("\n"), delay=LETTERS)
        page.no_faults()
        page.picture()
        shown = page.page.evaluate("document.querySelector('.cm-content').cmTile.view.state.doc.toString()")
        assert shown == QUEENS.rstrip("\n")
        assert page.page.locator(".tok-keyword").count() > 5


def test_a_thousand_edits_are_taken_back(server: Any, chromium: Any) -> None:
    """Edits that are far apart, as strokes on a board are, of which none is joined with the one before."""
    edit = """number => { const view = document.querySelector('.cm-content').cmTile.view
      for (let at = 0; at < number; at++)
        view.dispatch({changes: {from: at % 2 ? 0 : view.state.doc.length, insert: '#'}, userEvent: 'draw'}) }"""
    press = """number => { for (let at = 0; at < number; at++) document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', {key: 'z', code: 'KeyZ', keyCode: 90, ctrlKey: true, bubbles: true})) }"""
    with tab(chromium, server.address) as page:
        page.write(QUEENS)
        page.page.evaluate(edit, 1400)  # a board of 30 x 45 has 1350 squares
        assert len(text_of(page)) == len(QUEENS) + 1400
        page.page.click(".cm-content")
        page.page.evaluate(press, 1400)
        assert text_of(page) == QUEENS


def test_fixes_completion_and_hover(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(QUEENS)
        page.no_faults()
        page.page.keyboard.press("Control+End")
        page.page.keyboard.type("forbid quee", delay=LETTERS)
        page.page.locator(".cm-tooltip-autocomplete li", has_text="queen").first.wait_for()
        page.page.wait_for_timeout(200)  # a completion that has only just appeared is not taken by mistake
        page.page.keyboard.press("Tab")
        page.page.keyboard.type("(1, 1)", delay=LETTERS)
        page.no_faults()
        page.page.locator(".tok-reader, .tok-keyword").first.hover()
        page.page.locator(".cm-tooltip .hover").wait_for()
        page.write(QUEENS.replace("choose queen", "choose quen"))
        assert any("queen" in fault for fault in page.faults(len(page.page.locator("#faults li.error").all()) or 1))
        page.page.locator("#faults .fault").first.click()
        assert page.page.evaluate("document.activeElement.className").startswith("cm-content")


def test_what_changes_nothing_starts_no_work(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(QUEENS)
        page.picture()
        page.page.wait_for_timeout(500)
        before = len(page.asked)
        page.page.keyboard.press("Control+End")
        page.page.keyboard.type("# a remark, letter by letter\n\n", delay=LETTERS)
        page.page.wait_for_timeout(1500)
        assert len(page.asked) == before
        page.page.keyboard.type('title "Queens"', delay=LETTERS)
        page.page.locator("#stage svg", has_text="Queens").wait_for()


def test_the_last_edit_wins(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        for side in (4, 5, 6, 7, 9):
            page.write(QUEENS.replace("n = 6", f"n = {side}"))
        page.until(lambda: page.lines() == 9)
        page.page.wait_for_timeout(1000)
        assert page.lines() == 9


def test_saving_lays_out(server: Any, chromium: Any) -> None:
    """A file is saved in the uniform layout; one that changed meanwhile is replaced only after a question."""
    path: Path = server.folder / "mine.cover"
    loose = 'param   n=4\ncells r,c in 1..n\nchoose q(r,c)\nexactly one q per r\nshow "Q" of q at r,c\n'
    with tab(chromium, server.address) as page:
        page.write(loose)
        page.no_faults()
        page.page.keyboard.press("Control+s")
        page.page.fill("#asked", "mine.cover")
        page.page.keyboard.press("Enter")
        page.page.locator(".notice", has_text="saved").wait_for()
        assert path.read_text() == format_model(Source("mine.cover", loose))
        path.write_text("# somebody else\n")
        page.page.click(".cm-content")
        page.page.keyboard.press("Control+End")
        page.page.keyboard.type("# more")
        page.page.keyboard.press("Control+s")
        page.page.locator("dialog", has_text="Replace it?").wait_for()
        assert path.read_text() == "# somebody else\n"
        page.page.click("dialog button.primary")
        page.page.locator(".notice", has_text="saved").last.wait_for()
        page.until(lambda: not page.page.title().startswith("•"))
        assert path.read_text().endswith("# more\n") or path.read_text().endswith("# more")
        page.complaints = [c for c in page.complaints if "409" not in c]  # the browser logs what was refused


def test_params_are_a_form(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(QUEENS)
        page.picture()
        page.pane("data")
        page.page.fill("#param-n", "3")
        page.until(lambda: page.lines() == 3)
        page.page.press("#param-n", "ArrowUp")
        page.until(lambda: page.lines() == 4)
        page.page.fill("#param-n", "many")
        page.page.locator(".field-fault", has_text="many").wait_for()
        page.page.click(".field >> text=Model’s own")
        page.until(lambda: page.lines() == 6)


def test_a_grid_is_a_board(server: Any, chromium: Any) -> None:
    """Typed into, clicked, pasted, dropped on, and undone."""
    with tab(chromium, server.address) as page:
        page.write(SUDOKU)
        page.picture()
        page.pane("data")
        page.cell(1, 2).click()
        page.page.keyboard.press("3")
        page.page.keyboard.press("ArrowDown")
        page.page.click(".palette button >> text='4'")
        page.until(lambda: (page.cell(1, 2).inner_text(), page.cell(2, 2).inner_text()) == ("3", "4"))
        page.until(lambda: len(re.findall(r"\d", page.picture())) == 6)
        page.page.keyboard.press("Backspace")
        page.until(lambda: page.cell(2, 2).inner_text() == "")
        page.page.keyboard.press("Control+z")
        page.until(lambda: page.board() == "134342")
        _paste(page, SOLVED)
        page.until(lambda: page.board() == SOLVED)
        _paste(page, "+--+\n|1 0|0 0\n0 0 3 0\n0 4 0 0\n0 0 0 2")  # another program's: 0 is blank
        page.until(lambda: page.board() == "1342")
        _drop(page, ".board", "puzzle.txt", "1324\n....\n....\n....\n")
        page.until(lambda: page.board() == "1324")
        page.page.click(".palette >> text=Model’s own")
        page.until(lambda: page.board() == "1342")


def _paste(page: Any, text: str) -> None:
    page.cell(1, 1).focus()
    page.page.evaluate(
        """text => { const data = new DataTransfer(); data.setData('text/plain', text);
        const event = new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true});
        document.activeElement.dispatchEvent(event) }""",
        text,
    )


def _drop(page: Any, where: str, name: str, text: str) -> None:
    page.page.evaluate(
        """([where, name, text]) => { const data = new DataTransfer(); data.items.add(new File([text], name));
        for (const kind of ['dragover', 'drop']) document.querySelector(where)
          .dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true})) }""",
        [where, name, text],
    )


def test_the_gallery_is_searched_before_it_is_there(server: Any, chromium: Any) -> None:
    """What was typed meanwhile holds; where nothing fits, it is said; and a card says its title once."""
    with tab(chromium, server.address) as page:
        page.page.route("**/api/gallery", lambda route: (page.page.wait_for_timeout(500), route.continue_()))
        page.pane("gallery")
        page.page.fill("#gallery-find", "slitherlink")
        page.page.locator(".card").first.wait_for(state="attached")
        found = page.page.locator(".card:visible")
        assert 0 < found.count() < 10 and found.first.get_attribute("data-model")
        page.page.fill("#gallery-find", "no such thing")
        page.page.locator("#pane-gallery .empty", has_text="No model has all of these words").wait_for()
        assert found.count() == 0
        page.page.fill("#gallery-find", "")
        assert page.page.locator("#pane-gallery .empty:visible").count() == 0
        words = "cards => cards.map(card => [...card.querySelectorAll('strong, .faint')].map(one => one.textContent))"
        for title, line in page.page.locator(".card").evaluate_all(words):
            assert not line.lower().removeprefix("the ").startswith(title.lower().removeprefix("the ")), title
        page.page.click("#new")
        page.page.locator("#new-list .card").first.wait_for(state="attached")
        page.page.fill("#new-find", "no such thing")
        page.page.locator("#new-list .empty", has_text="No kind").wait_for()


def test_a_card_whose_picture_fails_says_so(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.page.route(
            re.compile("/gallery/sudoku[.]"), lambda route: route.fulfill(body="", content_type="image/svg+xml")
        )
        page.pane("gallery")
        page.page.locator("[data-model=sudoku] .thumb", has_text="No picture").wait_for()
        page.page.click("#new")
        page.page.locator("[data-kind=sudoku] .thumb", has_text="No picture").wait_for()


COLOURED = """() => {
  const found = [];
  for (const span of document.querySelectorAll(".cm-content [class*=tok-]")) {
    const range = document.createRange();
    range.setStart(document.querySelector(".cm-content"), 0);
    range.setEnd(span, 0);
    const start = range.toString().length;
    const kind = /tok-(\\w+)/.exec(span.className)[1];
    [...span.textContent].forEach((sign, at) => sign !== " " && found.push(`${start + at} ${sign} ${kind}`));
  }
  return found;
}"""


def test_colours_do_not_wait_for_an_analysis(server: Any, chromium: Any) -> None:
    """Those that come at once are right: the analysis adds to them."""
    context = chromium.new_context()
    held: list[Any] = []
    context.route("**/api/analyse", lambda route: held.append(route))
    page = Tab(context.new_page(), server.base)
    page.page.goto(server.address)
    page.page.locator(".cm-content").wait_for()
    page.write("# " + 'an "example" of 2\n' + SUDOKU)
    before = page.page.evaluate(COLOURED)
    kinds = {one.rpartition(" ")[2] for one in before}
    assert kinds == {"comment", "keyword", "number", "text"}
    context.unroute("**/api/analyse")  # which lets those go on that are held
    page.page.locator(".cm-content .tok-family").first.wait_for()
    after = page.page.evaluate(COLOURED)
    lost = set(before) - set(after)
    assert len(after) > len(before) and {one.rpartition(" ")[2] for one in lost} == {"text"}
    places = {one.split(" ")[0]: one.rpartition(" ")[2] for one in after}
    assert {places.get(one.split(" ")[0]) for one in lost} <= {"local", "index", "function", None}  # in braces
    context.close()


def test_large_numbers_are_written_in_one_way(server: Any, chromium: Any) -> None:
    """As the command writes them: by the page's own words, and by those that come from the server."""
    with tab(chromium, server.address) as page:
        page.write("cells r in 1..20\nchoose a(r)\nat most 20 a\n")
        page.picture()
        page.page.click("#ask-count")
        page.said("answers", "1,048,576 answers")
        page.pane("candidates")
        assert "1,000" in page.page.inner_text("#cap") and "10,000" in page.page.inner_text("#cap")


def test_what_people_look_for_comes_first_and_is_found_by_other_names(server: Any, chromium: Any) -> None:
    """In the gallery and among new puzzles; what was used last comes before it the next time."""
    with tab(chromium, server.address) as page:
        sections = page.page.locator("#gallery-list section:visible h2")
        page.pane("gallery")
        sections.first.wait_for()
        assert sections.all_inner_texts()[:3] == ["Sudoku and Latin squares", "Loops and paths", "Shading"]
        known = {
            "kurodoko": "kuromasu",
            "bag": "cave",
            "lights out": "akari",
            "picross": "nonogram",
            "towers": "skyscrapers",
        }
        for words, model in known.items():
            page.page.fill("#gallery-find", words)
            page.page.locator(f"#gallery-list [data-model={model}]:visible").wait_for()
        page.page.locator("#gallery-list [data-model=nonogram]").first.click()
        page.page.locator("#model-name", has_text="nonogram").wait_for()
        page.pane("gallery")
        page.page.fill("#gallery-find", "")
        page.page.locator("#gallery-list section h2", has_text="Used last").wait_for()
        assert page.page.locator("#gallery-list section").first.locator("[data-model]").count() == 1
        page.page.click("#new")
        found = page.page.locator("#new-list section:visible h3")
        found.first.wait_for()
        assert found.all_inner_texts()[0] in ("Used last", "Sudoku and Latin squares")
        page.page.fill("#new-find", "kurodoko")
        page.page.locator("#new-list [data-kind=kuromasu]:visible").wait_for()


def test_a_model_of_the_gallery_is_opened_and_shared(server: Any, chromium: Any) -> None:
    """A copy of a model of the gallery is opened and shared; the link holds all of it, and the server sees none."""
    with tab(chromium, server.address) as page:
        page.pane("gallery")
        page.page.fill("#gallery-find", "star battle")
        page.page.locator(".card:visible").first.wait_for()
        name = str(page.page.locator(".card:visible").first.get_attribute("data-model"))
        page.page.locator(".card:visible img").first.wait_for()
        page.page.locator(".card:visible").first.click()
        page.no_faults()
        page.picture()
        assert page.page.inner_text("#model-name") == f"{name}.cover"
        page.page.click("#share")
        link = str(page.page.input_value("#share-link"))
        assert link.startswith(f"{page.base}/#model=") and len(link) < 4000
        urls: list[str] = []
        page.page.keyboard.press("Escape")
        other = page.page.context.new_page()
        other.on("request", lambda request: urls.append(request.url))
        other.goto(link)
        other.wait_for_selector("html[data-ready]")
        other.wait_for_selector("#stage[data-source='puzzle'] svg")
        assert other.inner_text("#model-name") == f"{name}.cover"
        assert not any("#" in url or "model=" in url for url in urls)
        other.goto("about:blank")
        other.goto(link[:-40])  # as it is cut by some program
        other.locator(".notice", has_text="no model").wait_for()


def test_a_puzzle_link_is_pasted_and_copied(server: Any, chromium: Any) -> None:
    link = "https://puzz.link/p?slither/5/5/cbcbcddad"
    with tab(chromium, server.address) as page:
        page.page.click("#paste-link")
        page.page.fill("#pasted-link", "https://puzz.link/p?slitehr/5/5/cbcbcddad")
        page.page.press("#pasted-kind", "Enter")
        page.page.locator("#pasted-fault", has_text="did you mean").wait_for()
        page.page.fill("#pasted-link", link)
        page.page.press("#pasted-kind", "Enter")
        page.picture()
        page.no_faults()
        assert page.page.inner_text("#model-name") == "slitherlink.cover"
        page.page.click("#copy-link")
        page.page.wait_for_selector("#copied-link")
        assert page.page.input_value("#copied-link") == link
        page.page.keyboard.press("Escape")
        page.write(QUEENS)
        page.no_faults()
        page.page.click("#copy-link")
        page.page.locator(".notice.bad", has_text="rules are not those of any kind").wait_for()


def test_enter_behind_a_complete_word_begins_a_line(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(QUEENS)
        page.page.keyboard.press("Control+End")
        page.page.keyboard.type("exactly one queen", delay=LETTERS)
        page.page.locator(".cm-tooltip-autocomplete").wait_for()
        page.page.keyboard.press("Enter")
        page.page.keyboard.type("# and on", delay=LETTERS)
        page.page.locator(".cm-line", has_text="# and on").wait_for()
        assert page.page.locator(".cm-line", has_text="exactly one queen#").count() == 0
        assert page.page.locator(".cm-line >> text=/^# and on$/").count() == 1


def test_two_tabs_keep_apart(server: Any, chromium: Any) -> None:
    """Each has its own model, data and answers."""
    with tab(chromium, server.address) as page:
        page.write(QUEENS)
        page.picture()
        second = page.page.context.new_page()
        second.goto(page.base)
        second.wait_for_selector("html[data-ready]")
        second.click(".cm-content")
        second.keyboard.press("Control+a")
        second.keyboard.insert_text(SUDOKU)
        second.locator("#stage svg", has_text="Sudoku").wait_for()
        page.page.bring_to_front()
        page.page.click("#ask-count")
        assert page.said("answers", "4 answers")
        assert "Sudoku" not in page.picture()
        second.bring_to_front()
        second.click("#ask-count")
        second.locator("#pane-answers .standing .words", has_text="answer").wait_for()
        assert "param n = 6" in page.page.inner_text(".cm-content")
        assert "Sudoku" in second.inner_text(".cm-content")


def test_a_reload_keeps_what_was_written(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(QUEENS + "# not saved")
        page.picture()
        page.page.wait_for_timeout(500)
        page.page.reload()
        page.page.wait_for_selector("html[data-ready]")
        assert "# not saved" in page.page.inner_text(".cm-content")


def test_remarks_move_with_the_text(server: Any, chromium: Any) -> None:
    """What compiling found is shown where it stands now, though a comment above it starts no compiling."""
    with tab(chromium, server.address) as page:
        page.write(f"{QUEENS}# covr: allow W202\n")
        remark = page.page.locator("#faults li.warning", has_text="here to allow")
        remark.locator(".place", has_text="9:15").wait_for()
        before = len(page.asked)
        page.page.keyboard.press("Control+Home")
        page.page.keyboard.type("# a remark\n", delay=LETTERS)
        remark.locator(".place", has_text="10:15").wait_for()
        assert len(page.asked) == before
        page.write(SUDOKU + "expect unique\n")
        page.page.locator("#stage svg", has_text="Sudoku").wait_for()
        remark.wait_for(state="detached")
