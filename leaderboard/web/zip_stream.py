"""A zip archive written while it is sent, in little memory however many files it has.

Files are stored as they are: records are compressed already. The list of the files, which comes last, waits on
disk once it is long. Written with the 64-bit extension throughout, so that there is one form.
"""

import struct
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from typing import Final

LIST_BYTES: Final = 1 << 20  # of the list that are kept in memory
PIECE_BYTES: Final = 1 << 16
VERSION: Final = 45  # that understands 64-bit archives
UTF8: Final = 0x0800
DATE: Final = 0x0021  # 1 January 1980: the same files make the same archive
BIG: Final = 0xFFFFFFFF  # "see the extension"


def zipped(files: Iterable[tuple[str, bytes]]) -> Iterator[bytes]:
    """The archive of these files, piece by piece."""
    offset = count = 0
    with tempfile.SpooledTemporaryFile(max_size=LIST_BYTES) as listed:
        for name, content in files:
            piece = _head(name, content) + content
            listed.write(_entry(name, content, offset))
            offset += len(piece)
            count += 1
            yield piece
        size = listed.tell()
        listed.seek(0)
        while piece := listed.read(PIECE_BYTES):
            yield piece
        yield _end(count, size, offset)


def _common(content: bytes) -> bytes:
    return struct.pack("<HHHHHLLL", VERSION, UTF8, 0, 0, DATE, zlib.crc32(content), len(content), len(content))


def _head(name: str, content: bytes) -> bytes:
    told = name.encode()
    return b"PK\3\4" + _common(content) + struct.pack("<HH", len(told), 0) + told


def _entry(name: str, content: bytes, offset: int) -> bytes:
    told = name.encode()
    extension = struct.pack("<HHQ", 1, 8, offset)
    numbers = struct.pack("<HHHHHLL", len(told), len(extension), 0, 0, 0, 0o600 << 16, BIG)
    return b"PK\1\2" + struct.pack("<H", VERSION) + _common(content) + numbers + told + extension


def _end(count: int, size: int, offset: int) -> bytes:
    big = struct.pack("<QHHLLQQQQ", 44, VERSION, VERSION, 0, 0, count, count, size, offset)
    locator = struct.pack("<LQL", 0, offset + size, 1)
    small = struct.pack("<HHHHLLH", 0, 0, 0xFFFF, 0xFFFF, BIG, BIG, 0)
    return b"PK\6\6" + big + b"PK\6\7" + locator + b"PK\5\6" + small
