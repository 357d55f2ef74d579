"""One game at the terminal. All that is shown is made from views; what is sealed stays so until the rules open it."""

from collections.abc import Mapping, Sequence

from pokade import texts
from pokade.arena.bots import is_warm
from pokade.chance import Chance
from pokade.cli import draw
from pokade.cli.draw.house import podium
from pokade.cli.draw.offer import Offer
from pokade.cli.saves import Setup
from pokade.cli.screen import Quit, Screen
from pokade.games.play import Play, View
from pokade.games.state import CHANCE, NOBODY, WATCHER, how_many
from pokade.loop import run, views_for
from pokade.players import Player, is_strong


class Table:
    """Persons and bots around one screen."""

    def __init__(self, setup: Setup, play: Play, chance: Chance, bots: Mapping[int, Player], screen: Screen) -> None:
        self.setup, self.play, self.chance, self.bots, self.screen = setup, play, chance, bots, screen
        self.names, self.bots_see = setup.names, views_for(bots)
        self.is_shared = len(setup.persons) != 1  # the screen is passed around, or nobody plays
        self.reader = texts.NOBODY if self.is_shared else setup.persons[0]  # is "you" in sentences
        self.sitting = WATCHER  # the seat that looks at the screen alone
        self.news: dict[int, list[str]] = {viewer: [] for viewer in (WATCHER, *setup.persons)}
        if any(is_strong(who) for who in setup.seats) and not is_warm(setup.game):
            self.tell(screen.say("play.warming_meanwhile"))

    def tell(self, *sentences: str) -> None:
        """Something that everybody reads next."""
        for queue in self.news.values():
            queue.extend(sentences)

    def watcher(self) -> View:
        return self.play.view(WATCHER, person=True)

    def shared_view(self) -> View:
        """What all who look at the screen may see."""
        return self.watcher() if self.is_shared else self.play.view(self.setup.persons[0], person=True)

    def run(self) -> None:
        """To the end of the game; a person who wants to go raises Quit."""
        before = self.watcher()
        for step in run(self.play, self.chance, self.decide, self.persons_first):
            if step.actor != CHANCE and step.actor not in self.bots and how_many(before.turn) > 1:
                self.seal(step.actor)
                self.news[WATCHER].clear()  # they have all read it with their choices
            if step.is_open:
                self.hear()
                if step.actor != CHANCE:
                    self.show_step(step.actor, before)
                before = self.watcher()
        self.show_end()

    def decide(self, play: Play, seat: int) -> int:
        """What a bot or a person chooses."""
        return self.bots[seat](self.bots_see(play, seat)) if seat in self.bots else self.ask(seat)

    def persons_first(self, seats: Sequence[int]) -> list[int]:
        """Bots lose nothing by waiting."""
        return sorted(seats, key=lambda seat: seat in self.bots)

    def hear(self) -> None:
        """What the last step told everybody, in sentences."""
        view = self.watcher()
        drawn = draw.drawn(view.game) if self.screen.is_live else ()  # the table shows it better than words
        news = [event for event in view.told if event.event.name not in drawn]
        told = [texts.sentence(self.setup.language, view.game, event, self.names, self.reader) for event in news]
        self.tell(*told)

    def show_step(self, seat: int, before: View) -> None:
        """A choice has opened: a moment for everybody where much has changed, else a glance at what a bot did."""
        after = self.watcher()
        moved_on = after.state.phase != before.state.phase and after.turn != CHANCE
        has_ended = after.state.round != before.state.round or after.turn == NOBODY
        if how_many(before.turn) > 1 or has_ended or moved_on:
            self.show_all()
        elif seat in self.bots:
            self.show_beat()

    def ask(self, seat: int) -> int:
        """A person's choice, from what that person may see."""
        self.seat_alone(seat)
        view = self.play.view(seat, person=True)
        offer = draw.offer(view, self.names, self.setup.language)
        *long, last = self.screen.leaves(view, self.names, self.news[seat], offers=True)
        for portion in long:
            self.show(view, portion)
            self.screen.pause()
        choice = self.choice_of(view, offer, last)
        self.news[seat].clear()
        if not self.is_shared:
            self.news[WATCHER].clear()
        return choice

    def choice_of(self, view: View, offer: Offer, news: str) -> int:
        """Ask until a line can be understood."""
        hint = ""
        self.show(view, news, offers=True)
        while True:
            line = self.read(hint)
            if line == draw.RULES:
                self.screen.rules(view.game)
            elif (choice := offer.choice(line)) is not None:
                return choice
            hint = "" if line == draw.RULES else self.screen.say("play.not_understood", rules=draw.RULES)
            if line in (draw.RULES, "") or self.screen.is_live:
                self.show(view, news, offers=True)

    def read(self, hint: str) -> str:
        """A line; q is somebody who may want to leave."""
        line = self.screen.read(hint)
        if line.casefold() == draw.LEAVE:
            raise Quit
        return line

    def seat_alone(self, seat: int) -> None:
        """Hot-seat: nothing is shown until only this person looks."""
        if self.is_shared and self.sitting != seat:
            self.screen.show(draw.curtain(self.names[seat], seat, self.setup.language), everything=True)
            self.screen.pause()
        self.sitting = seat

    def seal(self, seat: int) -> None:
        """The choice is in: its owner sees it once more, alone; a shared screen is wiped."""
        if self.is_shared:
            self.screen.clear(everything=True)
            self.sitting = WATCHER
            return
        view = self.play.view(seat, person=True)
        words = draw.sealed(view, self.setup.language)
        if words:
            self.show(view, self.screen.say("play.sealed", what=words))
            self.screen.beat()

    def show(self, view: View, news: str, *, offers: bool = False) -> None:
        scene = draw.screen(view, self.names, self.setup.language, news, offers=offers, fill=self.screen.is_live)
        self.screen.show(scene, everything=self.is_shared)

    def show_all(self) -> None:
        """A moment for everybody: what lies open, what happened, and Enter."""
        self.sitting = WATCHER
        view = self.shared_view()
        for portion in self.screen.leaves(view, self.names, self.news[WATCHER], offers=False):
            self.show(view, portion)
            self.screen.pause()
        for queue in self.news.values():
            queue.clear()

    def show_beat(self) -> None:
        """A bot has moved: on the screen for a moment, and in the news of the next person."""
        if self.screen.is_live:
            self.sitting = WATCHER
            view = self.shared_view()
            self.show(view, self.screen.leaves(view, self.names, self.news[WATCHER], offers=False)[-1])
            self.screen.beat()

    def show_end(self) -> None:
        """The rosette."""
        view = self.watcher()
        ending = view.game.endings[view.state.ending]
        words = texts.text(self.setup.language, f"{view.game.name}.ending.{ending}")
        words += " " + texts.sentence(self.setup.language, view.game, view.told[-1], self.names, self.reader)
        self.screen.show(podium(view, self.names, self.setup.language, words))
