"""Sends prepared requests over keep-alive connections as fast as one Python thread can, and keeps what was answered."""

import selectors
import socket


def prepare(bodies, port, key, content_type="application/json"):
    """Whole HTTP requests, ready to be written, from bodies."""
    head = (f"POST /v1/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {key}\r\n"
            f"Content-Type: {content_type}\r\nContent-Length: ")
    return [(head + str(len(body)) + "\r\n\r\n").encode() + body for body in bodies]


def send_all(requests, port, connections=32):
    """Sends every request once over a few connections, one in flight on each; returns counts by status.

    A connection that breaks counts its request as status 0.
    """
    selector = selectors.DefaultSelector()
    counts = {}
    pending = iter(requests)

    def answered(status):
        counts[status] = counts.get(status, 0) + 1

    def send_next(link):
        request = next(pending, None)
        link["answer"] = b""
        if request is None:
            selector.unregister(link["socket"])
            link["socket"].close()
            return
        link["socket"].setblocking(True)
        link["socket"].sendall(request)
        link["socket"].setblocking(False)

    def connect():
        connection = socket.create_connection(("127.0.0.1", port), timeout=30)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        link = {"socket": connection}
        selector.register(connection, selectors.EVENT_READ, link)
        send_next(link)

    def broken(link):
        selector.unregister(link["socket"])
        link["socket"].close()
        answered(0)

    for _ in range(min(connections, len(requests))):
        connect()
    while selector.get_map():
        for key, _ in selector.select(timeout=30):
            link = key.data
            try:
                data = link["socket"].recv(65536)
                if not data:
                    broken(link)
                    continue
                link["answer"] += data
                if (status := complete_answer(link["answer"])) is None:
                    continue
                answered(status)
                send_next(link)
            except OSError:
                broken(link)
    return counts


def complete_answer(data):
    """The status of a whole answer, or None while it is not whole."""
    end = data.find(b"\r\n\r\n")
    if end < 0:
        return None
    head = data[:end].lower()
    at = head.find(b"content-length:")
    length = int(head[at + 15:].split(b"\r\n", 1)[0]) if at >= 0 else 0
    return int(data[9:12]) if len(data) >= end + 4 + length else None
