"""A board of reed or Hall switches on an ESP32 under MicroPython: copy this file and boot.py to it.

Each cell has a switch between its row's and its column's wire, with a diode (1N4148) in series, its
ring towards the row. A magnet under each piece closes it. Cell number = row * columns + column,
counted like the LEDs under the board (`companion print GAME` has a plan). What the board says is
described in sensors.md; all but `main` needs no ESP32.

WAY says how it sends: "udp" to HOST and PORT, "mqtt" to the broker at HOST (1883), or "serial" over
the USB cable, for which no Wi-Fi is needed.
"""

import json
import sys
import time

ROWS = (13, 12, 14, 27, 26, 25, 33, 32)
COLUMNS = (4, 16, 17, 5, 18, 19, 21, 22)
WAY = "udp"
HOST, PORT = "192.168.1.5", 4210
TOPIC = b"board"
STEADY = 3
REPEAT_MS = 1000


class Cells:
    """Takes a switch for closed or open once it was so STEADY times in a row."""

    def __init__(self, count):
        self.on = [False] * count
        self.left = set()
        self._times = [0] * count

    def take(self, closed):
        """Take one scan, a list of bools; return whether anything changed."""
        changed = False
        for cell, now in enumerate(closed):
            self._times[cell] = 0 if now == self.on[cell] else self._times[cell] + 1
            if self._times[cell] >= STEADY:
                self.on[cell], self._times[cell], changed = now, 0, True
                if not now:
                    self.left.add(cell)
        return changed


def messages(cells, seq):
    """Return the message that tells all of ``cells``, and forget what was lifted."""
    on = [cell for cell, closed in enumerate(cells.on) if closed]
    left, cells.left = sorted(cells.left), set()
    return json.dumps({"v": 1, "seq": seq, "on": on, "left": left}).encode()


class Udp:
    """Sends packets."""

    def __init__(self, host, port):
        import socket

        self._line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._to = socket.getaddrinfo(host, port)[0][-1]

    def send(self, data):
        """Send one message; OSError where the network is away."""
        self._line.sendto(data, self._to)

    def close(self):
        """Send no more."""
        self._line.close()


class Serial:
    """Writes lines to the console, which the USB cable carries."""

    def send(self, data):
        """Write one message."""
        sys.stdout.write(data.decode() + "\n")


class Mqtt:
    """Publishes by a broker, which keeps the last message until the board is gone."""

    def __init__(self, host, port, topic):
        from umqtt.simple import MQTTClient

        self._topic, self._open = topic, False
        self._client = MQTTClient("sensor-board", host, port, keepalive=5)
        self._client.set_last_will(topic, b"", retain=True)

    def send(self, data):
        """Publish one message, after a lost line by a new one; OSError where there is none."""
        try:
            if not self._open:
                self._client.connect()
            self._open = True
            self._client.publish(self._topic, data, retain=True)
        except OSError:
            self._open = False
            raise


def line_of(way):
    """Return what sends by `way`."""
    if way == "udp":
        return Udp(HOST, PORT)
    return Serial() if way == "serial" else Mqtt(HOST, 1883, TOPIC)


def main():
    """Scan and send for ever. The Wi-Fi is boot.py's."""
    from machine import Pin

    rows = [Pin(number, Pin.OUT, value=0) for number in ROWS]
    columns = [Pin(number, Pin.IN, Pin.PULL_DOWN) for number in COLUMNS]
    cells, seq, sent = Cells(len(rows) * len(columns)), 0, time.ticks_ms()
    line = line_of(WAY)
    while True:
        closed = []
        for row in rows:
            row.value(1)
            time.sleep_us(20)
            closed += [bool(column.value()) for column in columns]
            row.value(0)
        changed = cells.take(closed)
        if changed or time.ticks_diff(time.ticks_ms(), sent) > REPEAT_MS:
            seq, sent = seq + 1, time.ticks_ms()
            try:
                line.send(messages(cells, seq))
            except OSError:
                seq += 1  # the network is away: something was lost, and the next tells all
        time.sleep_ms(5)


if __name__ == "__main__":
    main()
