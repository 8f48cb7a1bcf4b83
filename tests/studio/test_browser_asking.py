"""The panes in which questions are asked, in a real browser: answers, candidates, reasons, dance, matrix, picture."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest

from tests.studio.browser import QUEENS, SUDOKU, chromium, server, tab

pytestmark = pytest.mark.long

__all__ = ["chromium", "server"]  # fixtures
LONG = QUEENS.replace("n = 6", "n = 20")  # 39 029 188 884 answers
TOY = """let options = table("name", "items…") \"\"\"
  1   c e
  2   a d g
  3   b c f
  4   a d f
  5   b g
  6   d e g
\"\"\"
choose take(o) for o in options
exactly one take per i in {"a", "b", "c", "d", "e", "f", "g"} where i in o.items   "item {i}"
show o.name, o.items of take
"""


def test_answers_are_shown_forwards_and_backwards(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(QUEENS)
        page.picture()
        page.page.click("#ask-first")
        page.picture("answer")
        seen = [page.plain()]
        for number in (2, 3, 4):
            page.page.click("#ask-next")
            page.page.locator(".caption", has_text=f"Answer {number}").wait_for()
            seen.append(page.plain())
        assert len(set(seen)) == 4
        page.page.click("#ask-next:not([disabled])")
        page.said("answers", "no further answer")
        page.page.click("#ask-previous")
        page.page.locator(".caption", has_text="Answer 3").wait_for()
        assert page.plain() == seen[2]


def test_all_answers_are_shown_on_a_contact_sheet(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(QUEENS.replace("n = 6", "n = 7"))
        page.picture()
        page.page.click("#ask-all")
        page.said("answers", "That is all")
        assert page.page.locator(".tile").count() == 40
        page.page.locator(".tile img").first.wait_for()
        page.page.locator(".tile").nth(4).click()
        page.page.locator(".caption", has_text="Answer 5").wait_for()
        page.page.keyboard.press("ArrowRight")
        page.page.keyboard.press("Enter")
        page.page.locator(".caption", has_text="Answer 6").wait_for()
        assert page.page.locator(".tile[aria-current]").inner_text() == "6"


def test_a_long_list_waits(server: Any, chromium: Any) -> None:
    """No more answers are listed than the user wants; more come when asked for."""
    with tab(chromium, server.address) as page:
        page.write(QUEENS.replace("n = 6", "n = 12"))
        page.picture()
        page.page.fill("#limit-answers", "60")
        page.page.click("#ask-all")
        page.page.click("text=List 60 more")
        page.page.locator("text=List 60 more").wait_for()
        assert 120 <= page.page.locator(".tile").count() <= 170


def test_count_unique_best_and_promises(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(
            QUEENS
            + "maximize r of queen where c = 1\nexpect 4 solutions\nexpect no solution with n = 3\nexpect unique\n"
        )
        page.picture()
        page.page.click("#ask-best")
        page.page.locator(".caption", has_text="Best answer, value 5").wait_for()
        page.page.click("#ask-unique")
        page.said("answers", "answer")
        page.page.click("#ask-test")
        page.page.locator(".results li").nth(2).wait_for()
        kept = [one.get_attribute("data-ok") for one in page.page.locator(".results li").all()]
        assert kept[1] == "true" and "false" in kept


def test_a_proof_is_checked_and_saved(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        best = QUEENS + "maximize r of queen where c = 1\n"
        for text, said in ((QUEENS, "there are exactly 4 answers"), (best, "the sum that is maximised is 5")):
            page.write(text)
            page.picture()
            page.page.click("#ask-proof")
            page.page.locator("#pane-answers .words", has_text=said).wait_for()
            for what, begin in (("problem", b"* #variable="), ("proof", b"pseudo-Boolean proof version 3.0\n")):
                with page.page.expect_download(timeout=20_000) as saved:
                    page.page.click(f"#save-{what}")
                assert gzip.decompress(Path(saved.value.path()).read_bytes()).startswith(begin)


def test_a_count_of_an_hour_is_stopped(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(LONG)
        page.picture()
        page.page.fill("#limit-seconds", "3600")
        page.page.click("#ask-count")
        page.page.locator("#pane-answers .figures", has_text="nodes").wait_for()
        assert page.page.locator("#ask-stop").is_enabled()
        page.page.click("#ask-stop")
        page.page.locator("#pane-answers .standing[data-state='stopped']").wait_for()
        assert re.search("at least|stopped", page.said("answers", "").lower())
        page.page.fill("#limit-seconds", "1")
        page.page.click("#ask-count")
        page.page.locator("#pane-answers .standing[data-state='limit']").wait_for()


def test_candidates_follow_the_clues(server: Any, chromium: Any) -> None:
    """Green for one answer, red for none, otherwise how many, up to a cap."""
    with tab(chromium, server.address) as page:
        page.write(SUDOKU)
        page.picture()
        page.pane("candidates")
        page.page.locator("#verdict[data-count='one']", has_text="Exactly one answer").wait_for()
        page.picture("candidates")
        page.pane("data")
        page.cell(1, 2).click()
        page.page.keyboard.press("1")
        page.page.locator("#verdict[data-count='none']", has_text="No answer").wait_for()
        page.page.keyboard.press("Backspace")
        page.page.locator("#verdict[data-count='one']").wait_for()
        page.page.click(".palette >> text=Clear")
        page.page.select_option("#cap", "10")
        page.page.locator("#verdict[data-count='many']", has_text="10 or more answers").wait_for()
        page.page.select_option("#cap", "1000")
        page.page.locator("#verdict[data-count='many']", has_text="288 answers").wait_for()
        page.page.uncheck("#live")
        before = len(page.asked)
        page.cell(2, 2).click()
        page.page.keyboard.press("1")
        page.page.wait_for_timeout(1000)
        assert "candidates" not in page.asked[before:]


def test_a_wrong_given_shows_why(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(SUDOKU)
        page.picture()
        page.pane("data")
        page.cell(1, 2).click()
        page.page.keyboard.press("1")
        page.pane("why")
        page.page.click("#ask-why")
        reason = page.page.locator("#reasons .reason")
        reason.wait_for()
        words = reason.inner_text()
        assert "row 1 contains 1" in words and "given place(1, 2, 1)" in words
        page.page.click("#reasons .line >> nth=0")  # to the statement
        assert "exactly one place per r, d" in page.page.evaluate("getSelection().toString()")


def test_what_could_be_left_out(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write('cells i in 1..3\nchoose f(i)\nexactly one f "one"\nat most 2 f "few"\ngiven f(2)\n')
        page.picture()
        page.pane("spare")
        page.page.click("#ask-spare")
        page.page.locator("#spare .reason", has_text="1 given and 1 rule are needed").wait_for()
        page.page.click("#spare .line >> nth=0")
        assert "at most 2 f" in page.page.evaluate("getSelection().toString()")
        page.pane("spare")
        page.page.click("#ask-spare-givens")
        page.page.locator("#spare .reason", has_text="Nothing can be left out: 1 given is needed").wait_for()


def test_a_choice_has_a_reason_and_a_step_a_hint(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(SUDOKU)
        page.picture()
        page.pane("why")
        page.page.wait_for_selector("#why-choice[placeholder^='place(']")  # the choices of this model
        assert page.page.locator("#why-choices option").count() == 64
        page.page.fill("#why-choice", "place(1, 2, 3)")
        page.page.press("#why-choice", "Enter")
        page.page.locator("#reasons", has_text="every answer").wait_for()
        page.page.fill("#why-choice", "nonsense(")
        page.page.press("#why-choice", "Enter")
        page.page.locator("#reasons .bad").wait_for()
        page.page.click("#ask-hint")
        page.picture("hint")
        page.page.locator("#reasons", has_text="Move 1").wait_for()
        page.page.click("#ask-next-hint")
        page.page.locator("#reasons", has_text="Move 2").or_(
            page.page.locator("#pane-why .words", has_text="whole way")
        ).first.wait_for()


def test_a_click_on_a_cell_asks(server: Any, chromium: Any) -> None:
    """What can stand there, and why what the picture shows is there; by keyboard, too."""
    with tab(chromium, server.address) as page:
        page.write(SUDOKU)
        page.picture()
        page.page.click("#ask-first")
        page.picture("answer")
        page.page.locator("#stage [data-at='0:1,2']").first.click()
        page.page.locator("#picks button").nth(3).wait_for()
        page.page.locator("#reasons .reason", has_text="place(1, 2, 3)").wait_for()
        page.page.focus("#stage")
        page.page.keyboard.press("ArrowRight")
        page.page.keyboard.press("ArrowRight")
        page.page.keyboard.press("Enter")
        page.page.locator("#picks").wait_for()


def test_what_is_shown_survives_another_look(server: Any, chromium: Any) -> None:
    """Light or dark, an answer stays an answer; what the search step by step has lit goes out with its pane."""
    with tab(chromium, server.address) as page:
        page.write(SUDOKU)
        page.picture()
        page.page.click("#ask-first")
        page.picture("answer")
        before, paper = page.plain(), page.page.locator("#stage rect.paper").get_attribute("fill")
        page.page.click("#look")
        page.page.locator(f"#stage[data-source='answer'] rect.paper:not([fill='{paper}'])").wait_for()
        assert page.plain() == before
        page.pane("dance")
        page.page.click("#ask-dance")
        page.page.click("[aria-label='To the end']")
        page.page.locator("#stage .lit").first.wait_for()
        page.pane("why")
        page.page.locator("#stage .lit").first.wait_for(state="detached")


def test_there_is_nothing_to_stop_while_a_hint_waits(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(SUDOKU)
        page.picture()
        page.pane("why")
        page.page.click("#ask-hint")
        page.picture("hint")
        page.page.locator("#pane-why .stop[disabled]").wait_for()


def test_clues_that_clash_are_marked(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(SUDOKU.replace("1...", "1..1"))
        page.pane("candidates")
        page.page.locator("#verdict[data-count='none']").wait_for()
        page.page.locator("#stage .clash[data-at='0:1,4']").wait_for()
        assert page.page.locator("#stage .clash").count() == 2
        assert "row 1 contains 1" in page.page.locator("#pane-candidates").inner_text()
        page.write(SUDOKU)
        page.page.locator("#verdict[data-count='one']").wait_for()
        page.page.locator("#stage .clash").first.wait_for(state="detached")


@pytest.mark.parametrize("question", ["first", "count"])
def test_clues_that_clash_are_marked_where_there_is_no_answer(server: Any, chromium: Any, question: str) -> None:
    with tab(chromium, server.address) as page:
        page.write(SUDOKU.replace("1...", "1..1"))
        page.no_faults()
        page.picture()
        page.page.click(f"#ask-{question}")
        page.page.locator("#stage .clash[data-at='0:1,4']").wait_for()
        assert page.page.locator("#stage .clash").count() == 2
        assert "row 1 contains 1" in page.page.locator("#answers-clash").inner_text()
        page.write(SUDOKU)
        page.page.locator("#stage .clash").first.wait_for(state="detached")


def test_an_answer_is_seen_on_a_narrow_screen_and_a_picture_may_be_large(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address, viewport={"width": 390, "height": 780}) as page:
        page.write(SUDOKU)
        page.no_faults()
        page.page.locator(".foot button").nth(2).click()
        page.page.click("#ask-first")
        page.picture("answer")
        assert page.page.locator("#stage svg").is_visible() and page.page.locator("#ask-next").is_visible()
    with tab(chromium, server.address) as page:
        page.write(SUDOKU)
        page.picture()
        small = page.page.locator("#stage").bounding_box()["width"]
        page.page.click("[aria-label='Enlarge the part “look”']")
        assert page.page.locator("#stage").bounding_box()["width"] > 1.5 * small
        page.page.click("[aria-label='Enlarge the part “look”']")
        assert page.page.locator("#stage").bounding_box()["width"] == small


def test_the_dance_goes_step_by_step(server: Any, chromium: Any) -> None:
    """Knuth's toy: step by step, back, by depth, played to its end."""
    with tab(chromium, server.address) as page:
        page.write(TOY)
        page.no_faults()
        page.picture()
        page.pane("dance")
        page.page.click("#ask-dance")
        page.page.locator("#pane-dance .words", has_text="6 nodes, 1 answer").wait_for()
        words = page.page.locator("#dance-words")
        assert "choose item a: 2 options" in words.inner_text()
        page.page.click("[aria-label='One step on']")
        assert "take take(2) (1 of 2)" in words.inner_text()
        page.page.click("[aria-label='One step back']")
        page.page.click("text=To depth")
        page.page.click("[aria-label='Answer: to the next one']")
        assert "answer 1" in words.inner_text()
        assert page.page.locator(".tree li[aria-current]").inner_text().startswith("answer 1")
        page.page.click("[aria-label='To the beginning']")
        page.page.fill("#dance-speed", "30")
        page.page.click("#dance-play")
        page.page.locator("#dance-play", has_text="Pause").wait_for()
        page.page.locator("#dance-play", has_text="Play").wait_for()
        assert "16 of 16" in words.inner_text()


def test_the_matrix_lights_the_picture(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(SUDOKU)
        page.picture()
        page.pane("matrix")
        page.page.locator("#matrix-size", has_text="64 options, 64 items").wait_for()
        page.page.focus("#pane-matrix .matrix-scroll")
        page.page.keyboard.press("Home")
        page.page.keyboard.press("ArrowDown")
        page.page.locator("#matrix-under", has_text="place(1, 1, 2)").wait_for()
        page.page.locator("#stage .lit[data-at='0:1,1']").wait_for()
        page.page.keyboard.press("End")
        page.page.locator("#stage .lit[data-at='0:4,4']").wait_for()


def test_pictures_are_saved(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(SUDOKU)
        page.picture()
        for kind, begin in (("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
            try:
                with page.page.expect_download(timeout=20_000) as saved:
                    page.page.select_option("#save-picture", kind)
                with open(saved.value.path(), "rb") as file:
                    assert file.read(4) == begin[:4], kind
            except Exception:  # without cairosvg the page says what is missing
                page.page.locator(".notice.bad", has_text="cairosvg").last.wait_for()
                page.complaints.clear()


def test_themes_change_the_picture(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(SUDOKU)
        page.picture()
        papers = set()
        for theme in ("light", "dark", "print", "mono"):
            page.page.select_option("#theme-picture", theme)
            page.page.wait_for_timeout(800)
            papers.add(page.page.locator("#stage svg").evaluate("svg => svg.innerHTML"))
        assert len(papers) >= 3  # `print` may look like `light`
