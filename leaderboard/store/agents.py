"""Agents, their versions, and tokens."""

import hashlib
import secrets
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from sqlalchemy import Connection, func, insert, select, update

from leaderboard.store.database import MOST_TEXT, Database, next_id, shown
from leaderboard.store.rows import Version
from leaderboard.store.tables import agents, tokens, versions

TOKEN_BYTES: Final = 32

Identity = TypeVar("Identity")


class Agents(Database):
    def add_version(self, agent_name: str, spec: str, language: str, built_in: bool, digest: str) -> Version:
        """The version of this agent with this spec and digest; made if it is new."""
        shown("agent", agent_name)
        shown("spec", spec, MOST_TEXT)
        with self.writing() as connection:
            agent = self._agent(connection, agent_name)
            mine = versions.c.agent_id == agent
            found = connection.execute(
                select(versions).where(mine, versions.c.spec == spec, versions.c.digest == digest)
            ).one_or_none()
            if found:
                known = found.number, found.spec, found.language, found.built_in, found.digest
                return Version(found.id, agent_name, *known)
            last = connection.execute(select(func.max(versions.c.number)).where(mine)).scalar_one()
            made = Version(
                next_id(connection, versions), agent_name, (last or 0) + 1, spec, language, built_in, digest
            )
            row = made._asdict() | {"agent_id": agent, "created": self.now()}
            del row["agent"]
            connection.execute(insert(versions), row)
            return made

    def describe(self, version_id: int, author: str | None, language: str | None) -> None:
        """Writes down who wrote the agent, and what this version of it is written in; None leaves it as it is."""
        if author is None and language is None:
            return
        with self.writing() as connection:
            mine = versions.c.id == version_id
            if author is not None:
                agent = select(versions.c.agent_id).where(mine).scalar_subquery()
                change = update(agents).where(agents.c.id == agent)
                connection.execute(change.values(author=shown("author", author)))
            if language is not None:
                connection.execute(update(versions).where(mine).values(language=shown("language", language)))

    def version(self, version_id: int) -> Version | None:
        columns = versions.c
        query = select(
            *(columns.id, agents.c.name, columns.number, columns.spec),
            *(columns.language, columns.built_in, columns.digest),
        )
        with self.reading() as connection:
            found = connection.execute(query.join(agents).where(columns.id == version_id)).one_or_none()
        return Version(*found) if found else None

    def _agent(self, connection: Connection, name: str) -> int:
        found = connection.execute(select(agents.c.id).where(agents.c.name == name)).scalar_one_or_none()
        if found is not None:
            return int(found)
        number = next_id(connection, agents)
        connection.execute(insert(agents).values(id=number, name=name, created=self.now()))
        return number


class Tokens(Generic[Identity]):
    """Tokens in a store, as a referee looks them up. They are kept hashed.

    `identity` makes what the referee wants to know of a name and the number of a role.
    """

    def __init__(self, store: Database, identity: Callable[[str, int], Identity]) -> None:
        self.store = store
        self.identity = identity

    def find(self, token: str) -> Identity | None:
        return self.find_hash(hashed(token))

    def find_hash(self, hash: str) -> Identity | None:
        query = select(tokens.c.name, tokens.c.role).where(tokens.c.hash == hash, tokens.c.revoked.is_(None))
        with self.store.reading() as connection:
            found = connection.execute(query).one_or_none()
        return self.identity(found.name, found.role) if found else None

    def known(self) -> list[tuple[Identity, str]]:
        """All that are not revoked, the oldest first, each with its hash."""
        query = select(tokens).where(tokens.c.revoked.is_(None)).order_by(tokens.c.id)
        with self.store.reading() as connection:
            return [(self.identity(row.name, row.role), row.hash) for row in connection.execute(query)]

    def create(self, role: int, name: str, by: str) -> str:
        """Makes a token and gives it: it is shown once and kept nowhere."""
        shown("name", name)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        with self.store.writing() as connection:
            row = {"hash": hashed(token), "role": int(role), "name": name, "created": self.store.now()}
            connection.execute(insert(tokens).values(id=next_id(connection, tokens), **row))
            self.store.note(connection, by, "token created", name, f"role {int(role)}")
        return token

    def revoke(self, name: str, by: str) -> int:
        """Ends all tokens of that name; gives how many."""
        live = (tokens.c.name == name) & tokens.c.revoked.is_(None)
        with self.store.writing() as connection:
            ended = connection.execute(update(tokens).where(live).values(revoked=self.store.now())).rowcount
            self.store.note(connection, by, "tokens revoked", name, str(ended))
        return ended


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
