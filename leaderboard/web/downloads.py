"""Files to keep: records one by one or all of a tournament, its results as lines, a report in one page."""

from collections.abc import Iterator
from itertools import count
from typing import Final

from fastapi import APIRouter
from sqlalchemy import ColumnElement, exists, select
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from engine.record import read, seal_of, write
from leaderboard.report import report
from leaderboard.store import Store, Tournament
from leaderboard.store.tables import conduct, fixtures, records
from leaderboard.tournament_matches import Which, matches
from leaderboard.web import tournament_data as told
from leaderboard.web.answers import HTML
from leaderboard.web.match_data import record_of
from leaderboard.web.paths import file_name
from leaderboard.web.site import site_of
from leaderboard.web.tournament_pages import look
from leaderboard.web.zip_stream import zipped

AT_ONCE: Final = 200  # rows that are in memory
RECORD: Final = "application/vnd.conquest-arena.record"

pages = APIRouter(include_in_schema=False)


@pages.get("/matches/{match_id:name}/record.cqr")
async def record_file(request: Request, match_id: str) -> Response:
    site = site_of(request)
    content = await site.in_thread(lambda: as_told(record_of(site.store, match_id)))
    return Response(content, headers=_kept_as(match_id, "cqr"), media_type=RECORD)


@pages.get("/tournaments/{name:name}/records.zip")
async def record_files(request: Request, name: str) -> Response:
    found, _ = await look(request, name)
    pieces = zipped(_records(site_of(request).store, found))
    return StreamingResponse(pieces, headers=_kept_as(name, "zip"), media_type="application/zip")


@pages.get("/tournaments/{name:name}/results.jsonl")
async def result_lines(request: Request, name: str) -> Response:
    found, _ = await look(request, name)
    lines = _results(site_of(request).store, found)
    return StreamingResponse(lines, headers=_kept_as(name, "jsonl"), media_type="application/jsonl")


@pages.get("/tournaments/{name:name}/report.html")
async def report_file(request: Request, name: str) -> Response:
    """What `arena leaderboard report` writes."""
    site = site_of(request)
    found, tables = await look(request, name)
    text = await site.in_thread(lambda: report(site.store, found, tables))
    return Response(text, headers=_kept_as(name, "html"), media_type=HTML)


def as_told(content: bytes) -> bytes:
    """The record as anybody may have it: what a fault was in words is for the author of the seat. Sealed anew."""
    record = read(content)
    if not any(one.detail for one in record.conduct):
        return content
    for one in record.conduct:
        one.ClearField("detail")
    record.seal = seal_of(record)
    return write(record)


def _kept_as(name: str, ending: str) -> dict[str, str]:
    return {
        "content-disposition": f'attachment; filename="{file_name(name)}.{ending}"',
        "cache-control": "no-cache",
    }


def _records(store: Store, found: Tournament) -> Iterator[tuple[str, bytes]]:
    number = -1
    query = (
        select(fixtures.c.number, fixtures.c.id, records.c.record, _has_details().label("has_details"))
        .join(records, records.c.fixture_id == fixtures.c.id)
        .where(fixtures.c.tournament_id == found.id)
        .order_by(fixtures.c.number)
        .limit(AT_ONCE)
    )
    while True:
        with store.reading() as connection:
            rows = connection.execute(query.where(fixtures.c.number > number)).all()
        for row in rows:
            content = as_told(row.record) if row.has_details else row.record
            yield f"{file_name(row.id.removeprefix(found.name + '/'))}.cqr", content
        if len(rows) < AT_ONCE:
            return
        number = rows[-1].number


def _has_details() -> ColumnElement[bool]:
    return exists().where(conduct.c.fixture_id == fixtures.c.id, conduct.c.detail != "")


def _results(store: Store, found: Tournament) -> Iterator[str]:
    """All matches that were played, void ones too, in the order in which they were drawn."""
    who = told.entrants_of(store, found)
    for start in count(0, AT_ONCE):
        rows = matches(store, found, Which(), start, AT_ONCE)
        for row in rows:
            if row.places is not None:
                yield told.match_row(row, who).model_dump_json() + "\n"
        if len(rows) < AT_ONCE:
            return
