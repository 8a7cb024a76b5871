"""What Prometheus may ask: how a table's line and a club's service do, counted anyway and read when
somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from companion.rules import BadInput, quoted, whole_number

LOCAL = "127.0.0.1"


class Metric(NamedTuple):
    """A figure: its name, what it is, how much; ``counts`` where it only grows."""

    name: str
    about: str
    value: float
    counts: bool = False


def read_port(text: str) -> tuple[str, int]:
    """Return the address and the port of ``9100`` (this machine alone) or ``0.0.0.0:9100``.

    Raises:
        BadInput: it is neither.
    """
    host, _, port = text.rpartition(":")
    number = whole_number(port)
    if not number or number > 65_535:
        raise BadInput(f"{quoted(text)} is no port; write 9100, or 0.0.0.0:9100 for the network")
    return host or LOCAL, number


def serve(where: str, ask: Callable[[], Iterable[Metric]]) -> Callable[[], None]:
    """Answer at ``where`` (:func:`read_port`) what ``ask`` returns, on a thread of its own; return
    what ends that.

    Raises:
        BadInput: it is no port, or taken.
    """
    from prometheus_client import CollectorRegistry, start_http_server
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
    from prometheus_client.metrics_core import Metric as Family
    from prometheus_client.registry import Collector

    def collect() -> Iterable[Family]:
        for one in ask():
            kind = CounterMetricFamily if one.counts else GaugeMetricFamily
            yield kind(f"companion_{one.name}", one.about, value=one.value)

    host, port = read_port(where)
    registry = CollectorRegistry()
    # Whatever has a `collect` is asked anew whenever Prometheus asks.
    registry.register(type("Figures", (Collector,), {"collect": lambda self: collect()})())
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        raise BadInput(f"metrics cannot be served at {where}: {error.strerror}") from error

    def close() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return close
