"""Clients that send batches for ever, repeat a batch until it is answered, and write down what was acknowledged."""

import http.client
import json
import random
import threading
import time
import uuid

EVENTS_A_BATCH = 20
CLIENTS = 6
# Between two batches of a client: enough load to be hit in the middle of everything, and the check stays quick.
PAUSE_SECONDS = 0.01


class Load:
    """A few clients in threads; `acknowledged` is the list that PostgreSQL is compared with."""

    def __init__(self, port, key, seed, clients=CLIENTS, pause_seconds=PAUSE_SECONDS):
        self.port, self.key, self.pause_seconds = port, key, pause_seconds
        self.lock = threading.Lock()
        self.acknowledged = []
        self.repeats = 0
        self.refused = {}
        self.running = True
        self.threads = [threading.Thread(target=self._client, args=(random.Random(seed + number),))
                        for number in range(clients)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Lets every client finish its batch: afterwards all that was sent is acknowledged."""
        self.running = False
        for thread in self.threads:
            thread.join()

    def snapshot(self):
        """How many events are acknowledged so far; the list only grows."""
        with self.lock:
            return len(self.acknowledged)

    def _client(self, generator):
        connection = None
        while self.running:
            events = batch(generator)
            body = json.dumps({"context": {"story_id": "crash"}, "events": events}).encode()
            tries = 0
            while True:
                tries += 1
                try:
                    connection = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
                    connection.request("POST", "/v1/events", body, {
                        "Authorization": f"Bearer {self.key}", "Content-Type": "application/json"})
                    answer = connection.getresponse()
                    answer.read()
                    if answer.status == 202:
                        break
                    self.refused[answer.status] = self.refused.get(answer.status, 0) + 1
                except (OSError, http.client.HTTPException):
                    connection = None
                time.sleep(0.02)
            with self.lock:
                self.acknowledged.extend((event["session_id"], event["seq"]) for event in events)
                self.repeats += tries - 1
            time.sleep(self.pause_seconds)


def batch(generator):
    """Sessions of two events each, half with version 7 ids of now, half with version 4."""
    events = []
    now = int(time.time() * 1000)
    for _ in range(EVENTS_A_BATCH // 2):
        bits = generator.getrandbits(128)
        if generator.random() < 0.5:
            bits = now << 80 | bits & (1 << 80) - 1
            version = 7
        else:
            version = 4
        bits = bits & ~(0xF << 76) & ~(0x3 << 62) | version << 76 | 0x2 << 62
        session = str(uuid.UUID(int=bits))
        events.append({"type": "start", "session_id": session, "seq": 0, "at": now, "page_count": 2})
        events.append({"type": "page_shown", "session_id": session, "seq": 1, "at": now + 4, "page_index": 0})
    return events
