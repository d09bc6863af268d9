"""How often a client may ask."""

from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address


class Buckets:
    """A bucket of tokens for each client, refilled at a rate. The clients that were seen last are remembered."""

    def __init__(self, rate: float, burst: int, most: int, clock: Callable[[], float]) -> None:
        self.rate = rate
        self.burst = burst
        self.most = most
        self.clock = clock
        self.buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens left, and when that was

    def wait(self, client: str) -> float:
        """Takes a token and gives 0, or gives the seconds until there is one."""
        now = self.clock()
        left, since = self.buckets.pop(client, (float(self.burst), now))
        left = min(self.burst, left + (now - since) * self.rate)
        taken = left >= 1
        self.buckets[client] = (left - 1 if taken else left, now)
        if len(self.buckets) > self.most:
            self.buckets.popitem(last=False)
        return 0.0 if taken else (1 - left) / self.rate


def client_of(host: str) -> str:
    """Whom an address belongs to: who has one of IPv6 has 2^64 of them."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(IPv6Address(int(address) >> 64 << 64))
    return host


def is_here(host: str) -> bool:
    """Whether the client is on this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
