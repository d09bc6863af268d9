"""The referee: an authoritative gRPC service that runs matches for remote agents. Import from its modules.

server.py    listening, TLS, start and stop
service.py   gRPC in and out, thin            host.py     agents, matches and the beat that drives time
session.py   one match, a state machine       desk.py     one agent: what it owes, what it is sent
clock.py     who is charged how long          conduct.py  what agents did wrong, in words
watch.py     public events for watchers       auth.py     tokens and roles
catalog.py   variants, boards and verbs       limits.py   every limit
"""
