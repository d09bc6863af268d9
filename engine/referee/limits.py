"""Every limit of the referee, in one place. docs/wire.md and docs/time.md tell them to authors."""

from typing import Final

API_VERSION: Final = 1

# Streams
HELLO_SECONDS: Final = 5.0
MESSAGE_BYTES: Final = 1 << 20  # of one message that an agent sends
BATCH_DECISIONS: Final = 256  # in one message to an agent
BATCH_BYTES: Final = 256 << 10
GATHER_SECONDS: Final = 0.002  # that decisions wait for others while their agent is busy
IN_FLIGHT: Final = 1024  # decisions outstanding at once, unless the organiser says less
MATCHES_AT_ONCE: Final = 10_000  # of one agent
MATCHES: Final = 20_000  # of one referee
CLIENT_NAME_CHARACTERS: Final = 100
KEEPALIVE_SECONDS: Final = 20.0  # of silence on a connection before it is asked for a sign of life
KEEPALIVE_TIMEOUT_SECONDS: Final = 10.0  # without one, it is dead

# Answers
NOTE_BYTES: Final = 200
PLANNED_ACTIONS: Final = 64
FAULT_CHARACTERS: Final = 300
ILLEGAL_ANSWERS: Final = 10  # to one decision; one more counts as a fault
SURPLUS_ANSWERS: Final = 1000  # on one stream, to decisions that were not outstanding; one more ends it

# Time
SLICE_SECONDS: Final = 0.002  # of work before others get their turn
BEAT_SECONDS: Final = 0.01
BEAT_SLACK_SECONDS: Final = 0.005  # what a beat may come late before it counts as lag of the host
PING_SECONDS: Final = 10.0
ROUND_TRIP_WINDOW_SECONDS: Final = 60.0
ROUND_TRIP_SECONDS: Final = 0.02  # the most that is taken off a message for the round trip
LONGEST_SECONDS: Final = 24 * 3600.0  # of any part of a time control

# What is kept
EVENTS_KEPT: Final = (
    1024  # of a match, for agents that want them and for watchers; older ones are told by replaying
)
RECORDS_KEPT: Final = 2000
PAGE: Final = 100
MOST_PAGE: Final = 1000
