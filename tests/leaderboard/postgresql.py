"""A real PostgreSQL server for the tests: started by them, in a folder of its own, reached by a Unix socket."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from leaderboard.store import open_store

# Nothing of it outlives the tests, so nothing has to reach the disk.
SETTINGS = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "listen_addresses=",
    "shared_buffers=16MB",
)
TEMPLATE = "new_store"


def binary(name: str) -> str | None:
    """On the PATH, or where Debian keeps them."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return shutil.which(name) or next((str(place / name) for place in places if (place / name).exists()), None)


class PostgreSQL:
    """It does not run as root, so root runs it as somebody who may do nothing."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="arena-pg-"))  # short: the path of a socket may not be long
        self.as_whom: dict[str, Any] = {}
        if os.getuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
            self.as_whom = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        self.numbers = count(1)
        self.run("initdb", "-D", "data", "-U", "arena", "-A", "trust", "--no-sync", "--locale=C", "-E", "UTF8")
        self.start()
        self.make_template()

    def command(self, name: str, words: Sequence[str]) -> list[str]:
        found = binary(name)
        assert found
        return [found, *words]

    def run(self, name: str, *words: str) -> None:
        done = subprocess.run(
            self.command(name, words), cwd=self.folder, capture_output=True, text=True, **self.as_whom
        )
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        words = ["-D", "data", "-k", str(self.folder), *[word for one in SETTINGS for word in ("-c", one)]]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command("postgres", words), cwd=self.folder, stdout=log, stderr=log, **self.as_whom
            )
        for _ in range(600):
            try:
                psycopg.connect(self.dsn("postgres")).close()
                return
            except psycopg.OperationalError:
                assert self.process.poll() is None, (self.folder / "log").read_text()
                time.sleep(0.05)
        raise AssertionError("PostgreSQL does not answer")

    def stop(self) -> None:
        """At once, whoever is connected."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)

    def end(self) -> None:
        self.process.send_signal(signal.SIGQUIT)  # it need not put its house in order
        self.process.wait(30)
        shutil.rmtree(self.folder)

    def dsn(self, database: str) -> str:
        return f"postgresql://arena@/{database}?host={self.folder}"

    def make_template(self) -> None:
        self.sql(f"CREATE DATABASE {TEMPLATE}")
        open_store(self.dsn(TEMPLATE)).close()

    def new(self, template: str = TEMPLATE) -> str:
        """The address of a new database: an empty store, or, by `template1`, nothing at all."""
        name = f"store_{next(self.numbers)}"
        self.sql(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.dsn(name)

    def sql(self, statement: str, database: str = "postgres") -> None:
        with psycopg.connect(self.dsn(database), autocommit=True) as connection:
            connection.execute(statement.encode())
