"""`arena referee serve` as a process of its own: records, signals, a restart, TLS, and what it refuses."""

import json
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from arena.cli.referee import RecordFolder, safe_name
from engine import record
from engine.referee.auth import Role, create_token
from sdk.client import Client
from sdk.local import load_bot
from sdk.probe import Running
from tests.arena.clients import connected

NAMES = ("one", "two", "three")


class House:
    """A token file, and clients that stay while referees come and go."""

    def __init__(self, folder: Path, launch: Callable[..., Any], stack: ExitStack) -> None:
        self.tokens = folder / "tokens.txt"
        self.organiser = create_token(self.tokens, Role.ORGANISER, "me")
        self.authors = {name: create_token(self.tokens, Role.AUTHOR, name) for name in NAMES}
        self.clients: list[Client] = []
        self.launch = launch
        self.stack = stack

    def serve(self, listen: str, *words: object) -> tuple[Any, str]:
        """The process, and where it listens."""
        process = self.launch("referee", "serve", "--tokens", self.tokens, "--listen", listen, *words)
        self.stack.callback(finish, process)
        return process, json.loads(process.stdout.readline())["address"]

    def seat(self, address: str, bot: str = "random", **more: Any) -> None:
        for token in self.authors.values():
            self.clients.append(Client(load_bot(bot), address, token, **more))
            self.stack.callback(Running(self.clients[-1]).stop)

    def handles(self) -> set[int]:
        """The seats that the clients know of."""
        return {handle for client in self.clients for handle in list(client.seats)}

    def create(self, run: Callable[..., Any], address: str, *words: object) -> Any:
        agents = [word for name in NAMES for word in ("--agent", name)]
        return run("match", "create", "--server", address, "--token", self.organiser, *agents, *words)


def finish(process: Any) -> None:
    process.kill()
    process.communicate()


@pytest.fixture
def house(tmp_path: Path, launch: Callable[..., Any]) -> Iterator[House]:
    with ExitStack() as stack:
        yield House(tmp_path, launch, stack)


def test_matches_are_written_and_a_signal_ends_it(run: Callable[..., Any], house: House, tmp_path: Path) -> None:
    records = tmp_path / "new" / "records"
    process, address = house.serve("127.0.0.1:0", "--records", records, "--in-flight", 4)
    house.seat(address)
    connected(address, house.organiser, NAMES)
    words = ("--option", "rounds=2", "--id", "m/1", "--record", tmp_path / "m.cqr")
    assert house.create(run, address, *words).exit_code == 0
    process.send_signal(signal.SIGTERM)
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout) == (0, "")
    for said in ("agent one connected from ipv4:", "match m/1 is over: one ", "stopping; matches given up: 0"):
        assert said in stderr
    (kept,) = records.glob("*.cqr")
    assert kept.name.startswith("m_1-")
    assert kept.read_bytes() == (tmp_path / "m.cqr").read_bytes()
    record.verify(record.read(kept.read_bytes()))
    told = json.loads(kept.with_suffix(".times.json").read_text())
    assert sorted(told) == ["notes", "ordered", "times"]
    assert {one["seat"] for one in told["times"]} == {0, 1, 2}
    assert sorted(path.suffix for path in records.iterdir()) == [".cqr", ".json"]


def test_bots_come_back_to_a_referee_that_was_killed(
    run: Callable[..., Any], house: House, tmp_path: Path
) -> None:
    """In the middle of a match, which is lost; the socket that it leaves behind is used again."""
    process, address = house.serve(f"unix:{tmp_path}/r.sock")
    house.seat(address)
    connected(address, house.organiser, NAMES)
    assert house.create(run, address, "--option", "rounds=1000", "--id", "lost").exit_code == 0
    deadline = time.monotonic() + 30
    while len(lost := house.handles()) < len(NAMES) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.kill()
    process.wait()
    again, _ = house.serve(address)
    connected(address, house.organiser, NAMES)
    assert house.create(run, address, "--option", "rounds=2", "--wait", "-q").exit_code == 0
    unknown = run("match", "show", "lost", "--server", address, "--token", house.organiser)
    assert (unknown.exit_code, unknown.stdout) == (2, "")
    assert (len(lost), lost & house.handles()) == (len(NAMES), set())
    again.send_signal(signal.SIGINT)
    assert again.wait(30) == 0


def test_running_matches_are_given_up_when_it_stops(
    run: Callable[..., Any], house: House, tmp_path: Path, launch: Callable[..., Any]
) -> None:
    process, address = house.serve(f"unix:{tmp_path}/r.sock", "--records", tmp_path / "records")
    house.seat(address)
    connected(address, house.organiser, NAMES)
    made = house.create(run, address, "--option", "rounds=1000", "--id", "long")
    assert made.exit_code == 0
    watch = launch("match", "watch", "long", "--server", address)
    assert json.loads(watch.stdout.readline())["match"]["match"] == "long"
    process.send_signal(signal.SIGTERM)
    stderr = process.communicate(timeout=30)[1]
    assert process.returncode == 0
    assert "stopping; matches given up: 1" in stderr
    assert "match long was given up" in stderr
    told = watch.communicate(timeout=30)[1]
    assert (watch.returncode, told) == (1, "arena: match long was given up by the referee; it has no result.\n")
    assert list((tmp_path / "records").iterdir()) == []


def test_tls_is_spoken_with_a_certificate(
    run: Callable[..., Any], house: House, certificate: tuple[Path, Path]
) -> None:
    trusted, key = certificate
    _, address = house.serve("127.0.0.1:0", "--tls-certificate", trusted, "--tls-key", key)
    house.seat(address, authority=trusted, plain=False)
    connected(address, house.organiser, NAMES, trusted)
    made = house.create(run, address, "--authority", trusted, "--option", "rounds=1", "--wait", "-q")
    assert (made.exit_code, made.stderr) == (0, "")
    plain = house.create(run, address)
    assert plain.exit_code == 1
    assert "in plain text" in plain.stderr


def test_a_wrong_pair_of_certificate_and_key_is_refused(
    run: Callable[..., Any], house: House, certificate: tuple[Path, Path]
) -> None:
    trusted, key = certificate
    for pair in ((key, trusted), (trusted, house.tokens), (trusted, "missing.pem")):
        words = ("--tls-certificate", pair[0], "--tls-key", pair[1], "--listen", "127.0.0.1:0")
        result = run("referee", "serve", "--tokens", house.tokens, *words)
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
        assert "give a certificate and its key, in PEM" in result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--listen", "somewhere"], "--listen somewhere is no address: write HOST:PORT"),
        (["--listen", "unix:"], "is no address"),
        (["--listen", "127.0.0.1:70000"], "is no address"),
        (["--listen", "0.0.0.0:0"], "tokens would travel in plain text: give --tls-certificate"),
        (["--listen", "unix:missing/r.sock"], "cannot listen on unix:missing/r.sock"),
        (["--listen", f"unix:{'x' * 200}"], "cannot listen on unix:"),
        (["--tls-key", "key.pem"], "belong together: give both"),
        (["--time", "fast"], "write bank+increment/limit"),
        (["--in-flight", "0"], "--in-flight"),
        (["--records", __file__], "cannot be made: File exists"),
        (["--tokens", "missing"], "make one with 'arena token create'"),
    ],
)
def test_wrong_use_is_one_line(run: Callable[..., Any], house: House, words: list[str], said: str) -> None:
    result = run("referee", "serve", "--tokens", house.tokens, *words)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert said in result.stderr


def test_an_address_has_one_referee(run: Callable[..., Any], house: House, tmp_path: Path) -> None:
    for listen in ("127.0.0.1:0", f"unix:{tmp_path}/r.sock"):
        _, address = house.serve(listen)
        result = run("referee", "serve", "--tokens", house.tokens, "--listen", address)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert f"cannot listen on {address}: it is taken" in result.stderr


def test_people_are_told_in_words(house: House) -> None:
    process = house.launch("referee", "serve", "--tokens", house.tokens, "--listen", "127.0.0.1:0", "--table")
    house.stack.callback(finish, process)
    said = process.stdout.readline()
    assert said.startswith("Referee on 127.0.0.1:")
    assert said.endswith("plain text). Ctrl-C stops it.\n")
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0


def test_names_of_matches_are_safe_names_of_files(tmp_path: Path) -> None:
    assert safe_name("final-1") == "final-1"
    assert "/" not in safe_name("../../x")
    assert not safe_name("../../x").startswith(".")
    assert safe_name("a/b") != safe_name("a:b")
    assert len(safe_name("x" * 500)) < 100
    folder = RecordFolder(tmp_path)
    (tmp_path / "m.cqr").write_text("an earlier match")
    assert folder.free_path("m") == tmp_path / "m-2.cqr"
    folder.close()
