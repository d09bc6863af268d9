"""Long lists in pages, the same for people and programs."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self

from fastapi import Query
from pydantic import BaseModel

from leaderboard.web.paths import with_query
from leaderboard.web.problems import beyond_the_end

MOST_PER_PAGE = 200

PageNumber = Annotated[int, Query(ge=1, le=1_000_000, description="Which page, counted from 1.")]
PerPage = Annotated[int, Query(ge=1, le=MOST_PER_PAGE, description="How many there are on a page.")]


class Paging(BaseModel):
    """Which part of a list this is. `next` and `previous` are addresses."""

    page: int
    per_page: int
    pages: int
    total: int
    next: str | None
    previous: str | None

    @classmethod
    def of(cls, path: str, query: Mapping[str, Any], page: int, per_page: int, total: int) -> Self:
        """Refuses a page beyond the end; an empty list has one page."""
        pages = max(1, -(-total // per_page))
        if page > pages:
            raise beyond_the_end(page, pages)

        def link(number: int) -> str:
            return with_query(path, {**query, "page": number if number > 1 else None})

        return cls(
            page=page,
            per_page=per_page,
            pages=pages,
            total=total,
            next=link(page + 1) if page < pages else None,
            previous=link(page - 1) if page > 1 else None,
        )

    @property
    def start(self) -> int:
        return (self.page - 1) * self.per_page

    def cut(self, rows: Sequence[Any]) -> Sequence[Any]:
        return rows[self.start : self.start + self.per_page]
