"""Commands that run until they are told to stop."""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def run_until_stopped(main: Coroutine[Any, Any, int]) -> int:
    """Runs it to its end. The first SIGINT or SIGTERM cancels it, so that it can tidy up; the next interrupts."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        return asyncio.run(_stoppable(main))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def interrupted_by_sigterm() -> Iterator[None]:
    """Within, SIGTERM is like Ctrl-C: a KeyboardInterrupt."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Within, the first SIGINT or SIGTERM calls `stop`, wherever the program is; the next interrupts."""
    told = False

    def handle(*_: object) -> None:
        nonlocal told
        if told:
            raise KeyboardInterrupt
        told = True
        stop()

    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, handle)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


async def _stoppable(main: Coroutine[Any, Any, int]) -> int:
    loop, task = asyncio.get_running_loop(), asyncio.create_task(main)
    told = False

    def stop(*_: object) -> None:
        nonlocal told
        if told:
            raise KeyboardInterrupt
        told = True
        loop.call_soon_threadsafe(task.cancel)

    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as a shell does for what runs in its background
            signal.signal(number, stop)
    return await task
