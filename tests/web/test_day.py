"""The position of the day in a browser: one sealed choice, what it was worth, and a streak that the device keeps."""

from datetime import UTC, date, datetime

import pytest
from playwright.sync_api import Page, expect

from pokade.problems import days_game, problem_of
from tests.web.conftest import Opens, at, check_access, check_fits, picture
from tests.web.tables import asked

DAY = date(2026, 11, 18)
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)


@pytest.fixture
def problem():
    return problem_of(days_game(DAY), DAY)


def test_a_right_choice_is_judged_and_stands(open_page: Opens, problem) -> None:
    page = open_page("/")
    expect(page.locator("[data-today]")).to_have_count(0)  # a newcomer has a game to play first
    asked(page, "/api/guest", {"name": "Ada"})
    page.evaluate("() => localStorage.setItem('pokade.has-come', 'yes')")
    page.clock.set_fixed_time(NOON)
    page.goto(at(page, "/"))

    page.locator("[data-today]").click()
    expect(page.locator("[data-day]")).to_have_attribute("data-day", DAY.isoformat())
    check_fits(page)
    check_access(page)
    picture(page, "day-choose-phone-light")
    page.locator(f'[data-choice="{problem.best[0]}"]').first.click()

    _is_answered(page, problem.best[0])
    expect(page.locator(".verdict")).to_contain_text("best choice" if len(problem.best) == 1 else "Well chosen")
    check_fits(page)
    check_access(page)
    picture(page, "day-answer-phone-light", full=True)
    page.reload()
    _is_answered(page, problem.best[0])  # one choice a day


def test_a_wrong_choice_says_what_it_costs_and_days_in_a_row_are_counted(open_page: Opens, problem) -> None:
    wrong = next(one.choice for one in problem.choices if one.choice not in problem.best)
    page = open_page("/", size="desktop", theme="dark")
    page.clock.set_fixed_time(NOON)
    page.evaluate("""() => localStorage.setItem("pokade.days", '{"2026-11-17": {"choice": 0, "isRight": true}}')""")
    page.goto(at(page, "/day"))

    expect(page.get_by_text("Position of the day", exact=True)).to_be_visible()  # and not a replay of it
    page.locator(f'[data-choice="{wrong}"]').first.focus()
    page.keyboard.press("Enter")

    _is_answered(page, wrong)
    expect(page.locator(".verdict")).to_contain_text("It costs")
    expect(page.locator(".streak")).to_contain_text("2 days in a row · 1 of 2 found")
    expect(page.locator("[data-worth].right")).to_have_count(len(problem.best))
    expect(page.locator(".stood").get_by_text("You", exact=True)).to_have_count(1)  # at the table as it stood
    check_access(page)
    picture(page, "day-answer-desktop-dark")


def _is_answered(page: Page, choice: int) -> None:
    expect(page.locator("[data-answer]")).to_have_attribute("data-answer", str(choice))
    expect(page.locator(f'[data-worth="{choice}"]')).to_contain_text("chosen")
