"""`arena match`: matches on a referee, made and looked at; those of a tournament, void and reinstated."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import click

from arena.cli import correction, files
from arena.cli.board_view import seat_text
from arena.cli.dialling import Dial, dialling
from arena.cli.failures import BOT_FAULT, FAILED, Failure, WrongUse, complain, sentence
from arena.cli.output import Output, common, table
from arena.cli.play import MOST_SEED, read_options
from arena.cli.referee import read_time
from arena.cli.shell import NamingGroup
from arena.cli.story_view import fault_data
from conquest.v1.match_pb2 import ConnectedAgent, Match, MatchState
from conquest.v1.match_pb2 import TimeControl as SentTimeControl
from conquest.v1.record_pb2 import ConductKind, MatchResult
from engine import codec
from engine.referee.clock import TimeControl
from engine.referee.session import sent_time
from engine.rules.notation import LETTERS
from engine.rules.state import COLOURS, ENDINGS
from engine.rules.telling import Teller
from engine.rules.variants import ruleset
from sdk.remote import Remote, RemoteError

STATES: Final = {
    "running": MatchState.MATCH_STATE_RUNNING,
    "finished": MatchState.MATCH_STATE_FINISHED,
    "aborted": MatchState.MATCH_STATE_ABORTED,
}
STATE_NAMES: Final = {number: name for name, number in STATES.items()}
FIRST_WAIT, LONGEST_WAIT = 0.05, 1.0


@contextmanager
def dialled(dial: Dial) -> Iterator[Remote]:
    """A connection to the referee; what fails on it becomes one line."""
    try:
        with Remote(*dial) as remote:
            yield remote
    except RemoteError as error:
        raise (WrongUse if error.wrong_use else Failure)(sentence(str(error))) from error


@click.group("match", cls=NamingGroup, epilog="Example: arena match list --state running")
@common
def command() -> None:
    """Make matches on a referee, and look at them. All but watching needs the token of an organiser.

    'void' and 'reinstate' are for matches of a tournament: they need its store, and no referee.
    """


command.add_command(correction.void)
command.add_command(correction.reinstate)


@command.command(
    "create",
    short_help="Start a match of connected agents.",
    epilog="Example: arena match create --variant classic --agent my-bot --agent rival --agent rival"
    " --wait --record match.cqr",
)
@click.option("--variant", default="classic", show_default=True, help="What to play; see 'arena variants'.")
@click.option("--agent", "agents", multiple=True, required=True, help="One for each seat; it may have several.")
@click.option(
    "--option", "options", multiple=True, callback=read_options, help="An option of the variant, name=value."
)
@click.option(
    "--time",
    "control",
    callback=read_time,
    help="Time control, bank+increment/limit in seconds; without, the referee's.",
)
@click.option("--seed", type=click.IntRange(0, MOST_SEED), help="The same dice every time; marks the record.")
@click.option("--id", "match_id", default="", help="A name for the match; without, the referee finds one.")
@click.option("--wait", is_flag=True, help="Wait for the end and tell the result.")
@click.option("--record", "target", type=click.Path(), help="Write the record here; waits for the end.")
@dialling
@common
@click.pass_context
def create(
    ctx: click.Context,
    dial: Dial,
    variant: str,
    agents: tuple[str, ...],
    options: dict[str, int],
    control: TimeControl | None,
    seed: int | None,
    match_id: str,
    wait: bool,
    target: str | None,
) -> None:
    """Start a match of connected agents; 'arena match agents' lists them.

    With --wait the exit code is 3 if an agent was at fault, and 1 if the match was given up.
    """
    output: Output = ctx.obj
    path = None if target is None else files.check_writable(target)
    sent = None if control is None else sent_time(control)
    with dialled(dial.with_token()) as remote:
        match = remote.create(variant, list(agents), options, match_id, sent, seed)
        if wait or path is not None:
            match = wait_for(remote, match, output)
        if path is not None and match.state == MatchState.MATCH_STATE_FINISHED:
            files.write_whole(path, remote.record(match.match_id).record)
    show_match(output, match)
    ctx.exit(verdict(match))


def wait_for(remote: Remote, match: Match, output: Output) -> Match:
    output.note(f"Match {match.match_id} runs; 'arena match watch {match.match_id}' tells it.")
    wait = FIRST_WAIT
    while match.state == MatchState.MATCH_STATE_RUNNING:
        time.sleep(wait)
        wait = min(wait * 1.5, LONGEST_WAIT)
        match = remote.get(match.match_id)
    return match


def verdict(match: Match) -> int:
    """The exit code; says what was wrong."""
    if match.state == MatchState.MATCH_STATE_ABORTED:
        complain(f"match {match.match_id} was given up by the referee; it has no result.")
        return FAILED
    faults = [one for one in match.conduct if one.kind != ConductKind.CONDUCT_KIND_FORFEIT]
    if faults and match.state == MatchState.MATCH_STATE_FINISHED:
        count = f" (the first of {len(faults)})" if len(faults) > 1 else ""
        complain(f"seat {LETTERS[faults[0].seat]}: {faults[0].detail}{count}")
        return BOT_FAULT
    return 0


@command.command("show", short_help="Tell how a match stands.", epilog="Example: arena match show 5f0c4a")
@click.argument("match_id", metavar="MATCH")
@dialling
@common
@click.pass_obj
def show(output: Output, dial: Dial, match_id: str) -> None:
    """Tell how the match stands, or how it came out."""
    with dialled(dial.with_token()) as remote:
        show_match(output, remote.get(match_id))


@command.command("list", short_help="List matches.", epilog="Example: arena match list --state running")
@click.option("--state", type=click.Choice(list(STATES)), help="Only those in this state.")
@click.option(
    "--most", type=click.IntRange(1, 10_000), default=100, show_default=True, help="How many, the newest first."
)
@dialling
@common
@click.pass_obj
def list_matches(output: Output, dial: Dial, state: str | None, most: int) -> None:
    """List the matches that the referee knows, the newest first."""
    wanted = STATES[state] if state is not None else MatchState.MATCH_STATE_UNSPECIFIED
    with dialled(dial.with_token()) as remote:
        found = list(remote.matches(wanted, most))
    if output.as_json:
        output.data([match_data(match) for match in found])
        return
    rows = table("Matches", "match", "state", "variant", "round", "agents", right=("round",))
    for match in found:
        places = [f"{agent} {place}" for agent, place in zip(match.agents, match.result.places)]
        agents = ", ".join(places or match.agents)
        rows.add_row(match.match_id, STATE_NAMES[match.state], match.variant, str(match.round), agents)
    output.show(rows)


@command.command(
    "record",
    short_help="Fetch the record of a match that is over.",
    epilog="Example: arena match record 5f0c4a --output match.cqr",
)
@click.argument("match_id", metavar="MATCH")
@click.option("--output", "target", type=click.Path(), required=True, help="Write it to this file.")
@dialling
@common
@click.pass_obj
def fetch_record(output: Output, dial: Dial, match_id: str, target: str) -> None:
    """Fetch the record of a match that is over; 'arena replay show' tells it."""
    path = files.check_writable(target)
    with dialled(dial.with_token()) as remote:
        files.write_whole(path, remote.record(match_id).record)
    output.note(f"Wrote {path}")


@command.command("agents", short_help="List the agents that are connected.", epilog="Example: arena match agents")
@dialling
@common
@click.pass_obj
def list_agents(output: Output, dial: Dial) -> None:
    """List the agents that are connected, and in how many matches they play."""
    with dialled(dial.with_token()) as remote:
        found = remote.agents()
    if output.as_json:
        output.data([agent_data(agent) for agent in found])
        return
    rows = table("Agents", "name", "client", "seats", "at most", right=("seats", "at most"))
    for agent in found:
        rows.add_row(agent.name, agent.client, str(agent.matches), str(agent.matches_at_once))
    output.show(rows)


def agent_data(agent: ConnectedAgent) -> dict[str, Any]:
    counts = {"matches": agent.matches, "matches_at_once": agent.matches_at_once}
    return {"name": agent.name, "client": agent.client} | counts


# One match


def show_match(output: Output, match: Match) -> None:
    if output.as_json:
        output.data(match_data(match))
    else:
        output.show(*match_page(match))


def match_data(match: Match) -> dict[str, Any]:
    over = match.HasField("result")
    return {
        "match": match.match_id,
        "state": STATE_NAMES[match.state],
        "variant": match.variant,
        "options": {option.name: int(option.value) for option in match.options},
        "round_limit": match.round_limit,
        "time": time_text(match.time),
        "seats": [
            {"seat": seat, "colour": COLOURS[seat], "agent": agent} | place_data(match, seat)
            for seat, agent in enumerate(match.agents)
        ],
        "round": match.round,
        "actions": match.actions,
        "ending": ENDINGS[match.result.ending] if over else None,
        "faults": [fault_data(fault) for fault in match.conduct],
    }


def place_data(match: Match, seat: int) -> dict[str, int]:
    return {"place": match.result.places[seat]} if match.HasField("result") else {}


def time_text(sent: SentTimeControl) -> str:
    return str(TimeControl(sent.bank_ms / 1000, sent.increment_ms / 1000, sent.limit_ms / 1000))


def match_page(match: Match) -> list[Any]:
    title = f"{match.match_id}: {match.variant}, {time_text(match.time)}, {STATE_NAMES[match.state]}"
    rows = table(title, "place", "seat", "agent", "faults", right=("place", "faults"))
    places = list(match.result.places) or [0] * len(match.agents)
    for seat in sorted(range(len(match.agents)), key=lambda seat: places[seat]):
        faults = sum(1 for one in match.conduct if one.seat == seat)
        rows.add_row(str(places[seat] or "·"), seat_text(seat), match.agents[seat], str(faults or "·"))
    state = f"Round {match.round} of {match.round_limit}, {match.actions} actions."
    return [rows, f" {ended(match.result)}" if match.HasField("result") else f" {state}"]


def ended(result: MatchResult) -> str:
    return f"Ended by {ENDINGS[result.ending].replace('_', ' ')} in round {result.rounds}."


# Watching


@command.command(
    "watch", short_help="Tell a running match as it goes.", epilog="Example: arena match watch 5f0c4a"
)
@click.argument("match_id", metavar="MATCH")
@click.option(
    "--from",
    "first",
    type=click.IntRange(0, 2**32 - 1),
    default=0,
    show_default=True,
    help="The number of the first event to tell.",
)
@dialling
@common
@click.pass_context
def watch(ctx: click.Context, dial: Dial, match_id: str, first: int) -> None:
    """Tell the public events of a running match as they come: in words, or as lines of JSON."""
    output: Output = ctx.obj
    watcher = Watcher(output, first)
    with dialled(dial) as remote:
        for response in remote.watch(match_id, first):
            if response.HasField("match"):
                watcher.begin(response.match)
            if response.HasField("observation"):
                watcher.skip_to(response.next_event)
            if response.HasField("events"):
                watcher.tell(codec.read_events(response.events))
            if response.HasField("result"):
                watcher.end(response.result)
    if not watcher.over:
        complain(f"match {match_id} was given up by the referee; it has no result.")
    ctx.exit(0 if watcher.over else FAILED)


class Watcher:
    """Tells what a referee tells a watcher."""

    def __init__(self, output: Output, first: int) -> None:
        self.output = output
        self.next = first  # number of the next event
        self.over = False

    def begin(self, match: Match) -> None:
        options = {option.name: int(option.value) for option in match.options}
        self.teller = Teller(ruleset(match.variant, len(match.agents), options))
        seats = ", ".join(f"{LETTERS[seat]} {agent}" for seat, agent in enumerate(match.agents))
        self.say(f"{match.variant}: {seats}", {"match": match_data(match)})

    def skip_to(self, number: int) -> None:
        self.say(f"(events {self.next} to {number - 1} came too fast)", {"missed": number - self.next})
        self.next = number

    def tell(self, events: list[Any]) -> None:
        for event in events:
            self.say(self.teller.words(event), {"number": self.next} | self.teller.data(event))
            self.next += 1

    def end(self, result: MatchResult) -> None:
        self.over = True
        places = ", ".join(f"{LETTERS[seat]} {place}" for seat, place in enumerate(result.places))
        data = {"places": list(result.places), "ending": ENDINGS[result.ending], "rounds": result.rounds}
        self.say(f"{ended(result)} Places: {places}", {"result": data})

    def say(self, words: str, data: dict[str, Any]) -> None:
        click.echo(json.dumps(data) if self.output.as_json else words)
