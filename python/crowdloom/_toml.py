"""Writing TOML: Python reads it, but does not write it."""

from __future__ import annotations

import datetime
import math
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}


def dumps(table: Mapping[str, Any]) -> str:
    """A table as TOML: plain values first, then tables, then lists of tables, all in their order.

    ``None`` stands for what is left out; NumPy's numbers and arrays, tuples and paths are taken too.

    >>> print(dumps({"name": "hall", "people": [{"count": 3, "in": "door"}]}), end="")
    name = "hall"
    <BLANKLINE>
    [[people]]
    count = 3
    in = "door"
    """
    plain = {key: value for key, value in table.items() if not _has_header(value)}
    written = _pairs(plain)
    for key, value in table.items():
        if isinstance(value, Mapping):
            written += ["", f"[{_key(key)}]", *_pairs(value)]
        elif _has_header(value):
            for row in value:
                written += ["", f"[[{_key(key)}]]", *_pairs(row)]
    return "\n".join(written).lstrip("\n") + "\n"


def lines(table: Mapping[str, Any]) -> str:
    """The lines of one table of a scene, tables in it written in one line."""
    return "\n".join(_pairs(table)) + "\n"


def _has_header(value: object) -> bool:
    """Whether a value of the whole document is written below a header of its own."""
    if isinstance(value, Mapping):
        return True
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        return False
    return len(value) > 0 and all(isinstance(row, Mapping) for row in value)


def _pairs(table: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_value(value, key)}" for key, value in table.items() if value is not None]


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"names of a scene are strings, not {key!r}")
    return key if _BARE.fullmatch(key) else _string(key)


def _string(text: str) -> str:
    def escaped(character: str) -> str:
        if character in _ESCAPES:
            return _ESCAPES[character]
        return f"\\u{ord(character):04x}" if ord(character) < 32 or ord(character) == 127 else character

    return '"' + "".join(map(escaped, text)) + '"'


def _value(value: Any, key: str) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        number = float(value)
        if not math.isfinite(number):
            raise ValueError(f"`{key}` is {number}, which is no number of a scene")
        return repr(number)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, os.PathLike):
        return _string(os.fspath(value))
    if isinstance(value, np.ndarray):
        return _value(value.tolist(), key)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(_pairs(value)) + " }" if value else "{}"
    if isinstance(value, (Sequence, set, frozenset)) and not isinstance(value, (bytes, bytearray)):
        return "[" + ", ".join(_value(item, key) for item in value) + "]"
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    raise TypeError(f"`{key}` is a {type(value).__name__}, which has no place in a scene")
