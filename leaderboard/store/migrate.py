"""Brings a store to the version of this program, when it is opened."""

from sqlalchemy import Connection, Engine, inspect, text

from leaderboard.store.database import is_sqlite, writing
from leaderboard.store.errors import StoreError
from leaderboard.store.tables import VERSION

ADVISORY_LOCK = 0x41524E41  # on PostgreSQL, where tables that are not there yet cannot be locked


def migrate(engine: Engine) -> None:
    """Makes the tables of a new store, changes those of an older one, and refuses a newer one."""
    with engine.connect() as connection:
        if version_of(connection) == VERSION:
            return
    with writing(engine) as connection:
        if not is_sqlite(engine.url):
            connection.execute(text(f"SELECT pg_advisory_xact_lock({ADVISORY_LOCK})"))
        if version_of(connection) != VERSION:
            upgrade(connection)


def version_of(connection: Connection) -> str | None:
    """None for an empty database. Versions are numbers of four digits."""
    names = inspect(connection).get_table_names()
    name = str(connection.engine.url)
    if "alembic_version" not in names:
        if names:
            raise StoreError(f"{name} is the database of something else; name another for the store")
        return None
    version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    if version is not None and version > VERSION:
        raise StoreError(
            f"store {name} is of version {version}, and this program knows {VERSION}; update Conquest Arena"
        )
    return version


def upgrade(connection: Connection, version: str = VERSION) -> None:
    from alembic import command  # slow to import, and seldom needed
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "leaderboard.store:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, version)
