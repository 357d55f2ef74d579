"""What an HTTP request brings along: the tables, limits and judge of its process, and the person who asks."""

from typing import Annotated

from fastapi import Cookie, Request

from pokade.server.hub import Hub
from pokade.server.judge.analysing import Analysing
from pokade.server.judge.judging import Judging
from pokade.server.network.guard import Guard
from pokade.server.network.people import COOKIE, the_person
from pokade.server.storage import Person

Token = Annotated[str | None, Cookie(alias=COOKIE)]


def hub_of(request: Request) -> Hub:
    """The tables of this process."""
    hub: Hub = request.app.state.hub
    return hub


def guard_of(request: Request) -> Guard:
    """The rate limits and metrics of this process."""
    watch: Guard = request.app.state.guard
    return watch


def judging_of(request: Request) -> Judging:
    """The queue of the judge, in a process of its own."""
    judging: Judging = request.app.state.judging
    return judging


def analysing_of(request: Request) -> Analysing:
    """The queue of the analyst, and what it has made."""
    analysing: Analysing = request.app.state.analysing
    return analysing


async def asking(request: Request, token: str | None) -> Person:
    """The person behind a token; refused if there is none."""
    person = await the_person(hub_of(request).storage, token)
    guard_of(request).know(str(token), person.id)
    return person
