"""Things kept in memory within a bound; what was used longest ago goes first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Kept(Generic[Key, Value]):
    """Values by key, up to a count and a weight; safe to use from threads.

    The value put in last always stays, however heavy.
    """

    def __init__(
        self,
        *,
        count: int,
        weight: float = float("inf"),
        weigh: Callable[[Value], float] = lambda _value: 0.0,
    ) -> None:
        self._count, self._weight, self._weigh = count, weight, weigh
        self._lock = threading.Lock()
        self._values: OrderedDict[Key, tuple[Value, float]] = OrderedDict()
        self._making: dict[Key, threading.Lock] = {}

    def __contains__(self, key: Key) -> bool:
        return key in self._values

    def get(self, key: Key) -> Value | None:
        """The value, which counts as used now."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: Key, value: Value) -> list[Value]:
        """Keep a value; returns those that had to go for it."""
        with self._lock:
            self._values[key] = value, self._weigh(value)
            self._values.move_to_end(key)
            gone = []
            while len(self._values) > 1 and self._is_full():
                gone.append(self._values.popitem(last=False)[1][0])
            return gone

    def drop(self, key: Key) -> None:
        """Forget a value, if it is there."""
        with self._lock:
            self._values.pop(key, None)

    def get_or_make(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value, made if it is not there: once, while others who want it wait."""
        value = self.get(key)
        if value is not None:
            return value
        with self._lock:
            turn = self._making.setdefault(key, threading.Lock())
        try:
            with turn:
                value = self.get(key)
                if value is None:
                    value = make()
                    self.put(key, value)
                return value
        finally:
            with self._lock:
                self._making.pop(key, None)

    def _is_full(self) -> bool:
        weight = sum(weight for _, weight in self._values.values())
        return len(self._values) > self._count or weight > self._weight
