"""The part of trueskill 0.4.5, which has no types, that is used here."""

from collections.abc import Callable, Sequence

Function = Callable[[float], float]

class Rating:
    def __init__(self, mu: float, sigma: float) -> None: ...
    @property
    def mu(self) -> float: ...
    @property
    def sigma(self) -> float: ...

class TrueSkill:
    def __init__(
        self,
        mu: float = ...,
        sigma: float = ...,
        beta: float = ...,
        tau: float = ...,
        draw_probability: float = ...,
        backend: tuple[Function, Function, Function] | None = ...,
    ) -> None: ...
    def rate(
        self, rating_groups: Sequence[tuple[Rating, ...]], ranks: Sequence[int] | None = ...
    ) -> list[tuple[Rating, ...]]: ...
