"""A running collector: started with arguments, asked for its metrics, stopped or killed by process id."""

import http.client
import os
import re
import signal
import subprocess
import threading
import time

from .command import BINARY


class Collector:
    """`pagefall serve` on a free port of the loopback address."""

    def __init__(self, bench, *arguments, port=0):
        self.log = []
        self.process = subprocess.Popen(
            [BINARY, "serve", "--data-dir", bench.directory, "--listen", f"127.0.0.1:{port}", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in self.process.stdout:
            self.log.append(line)
            if match := re.search(r"127\.0\.0\.1:(\d+)", line):
                self.port = int(match.group(1))
                break
        else:
            raise SystemExit("the collector did not start:\n" + "".join(self.log))
        threading.Thread(target=self._drain, daemon=True).start()

    def _drain(self):
        for line in self.process.stdout:
            self.log.append(line)
            del self.log[:-200]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Asks it to drain and waits; it must be gone within 10 s."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=15)

    def kill(self):
        """Ends it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def metrics(self):
        """The counters and gauges by name with labels."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        connection.close()
        pairs = (line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))
        return {name: float(value) for name, value in pairs}

    def stored(self):
        """Events that its loader has stored since it started."""
        return sum(value for name, value in self.metrics().items()
                   if name.startswith("pagefall_events_loaded_total") and 'fate="stored"' in name)

    def cpu_seconds(self):
        return process_cpu_seconds(self.process.pid)

    def highest_resident_mebibytes(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmHWM:\s+(\d+)", status.read()).group(1)) / 1024


def process_cpu_seconds(pid):
    """User and system time of one process."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until(condition, seconds, what, interval=0.02):
    """Polls until it holds; says what did not come true otherwise."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit(f"waited {seconds} s for {what}")
        time.sleep(interval)
