"""Addresses of a referee: HOST:PORT or unix:PATH."""

import ipaddress


def is_loopback(address: str) -> bool:
    """Whether it is on this machine, so that plain text harms nobody."""
    if address.startswith("unix:"):
        return True
    host = address.rpartition(":")[0].strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
