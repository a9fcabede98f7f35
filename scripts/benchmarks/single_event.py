"""Requests a second with one event each, keys checked and answers durable, against nginx answering a constant."""

import os
import re
import socket
import subprocess

from benchmarks.common import median, new_key, say
from harness.collector import Collector, wait_until
from harness.command import Workbench

CONNECTIONS = 128
SECONDS = 8
ROUNDS = 3
PORT = 18788

# Every request is another event: a version 7 session id of now, counted up by each thread of wrk.
WRK_SCRIPT = """
local thread = 0
function setup(t) t:set("number", thread); thread = thread + 1 end
function init() counter = 0; start = os.time() * 1000 end
local head = { ["Authorization"] = "Bearer %s", ["Content-Type"] = "application/json" }
function request()
  counter = counter + 1
  local ms = start + math.floor(counter / 64)
  local body = string.format('{"type":"page_shown","session_id":"%%08x-%%04x-7%%03x-8%%03x-%%012x","seq":1,' ..
    '"at":"2026-11-29T10:00:00.004Z","page_index":0,"page":{"duration":5},"context":{"story_id":"spring-sale"}}',
    math.floor(ms / 65536), ms %% 65536, number, counter %% 4096, counter)
  return wrk.format("POST", "/v1/events", head, body)
end
"""

NGINX_CONFIGURATION = """
worker_processes auto; pid {directory}/nginx.pid; error_log {directory}/nginx.log; daemon off;
events {{ worker_connections 1024; }}
http {{
  access_log off; keepalive_requests 1000000000;
  client_body_temp_path {directory}; proxy_temp_path {directory}; fastcgi_temp_path {directory};
  uwsgi_temp_path {directory}; scgi_temp_path {directory};
  server {{
    listen 127.0.0.1:{port} reuseport;
    location / {{ default_type application/json; return 202 '{{"accepted":1,"rejected":0,"errors":[],"warnings":[]}}'; }}
  }}
}}
"""


def measure():
    with Workbench() as bench:
        key = new_key(bench)
        script = bench.path("event.lua")
        with open(script, "w") as file:
            file.write(WRK_SCRIPT % key)
        nginx = start_nginx(bench)
        try:
            ratios = []
            for number in range(ROUNDS):
                constant = wrk(script, PORT)
                with Collector(bench, "--spool", bench.path(f"spool-{number}"), "--no-load") as collector:
                    durable = wrk(script, collector.port)
                ratios.append(durable / constant)
                say(f"round {number + 1}: durable {durable:,.0f}/s, nginx {constant:,.0f}/s, ratio {ratios[-1]:.2f}")
        finally:
            nginx.terminate()
            nginx.wait()
        return {"single_event_vs_nginx": median(ratios)}


def start_nginx(bench):
    directory = bench.path("nginx")
    os.mkdir(directory)
    os.chmod(directory, 0o777)
    configuration = bench.path("nginx.conf")
    with open(configuration, "w") as file:
        file.write(NGINX_CONFIGURATION.format(directory=directory, port=PORT))
    process = subprocess.Popen(["nginx", "-c", configuration, "-e", os.path.join(directory, "nginx.log")])
    wait_until(lambda: socket.socket().connect_ex(("127.0.0.1", PORT)) == 0, 10, "nginx to listen")
    return process


def wrk(script, port):
    """Requests a second; any answer that is not 2xx ends the benchmark."""
    text = subprocess.run(["wrk", "-t", "1", "-c", str(CONNECTIONS), "-d", f"{SECONDS}s", "-s", script,
                           f"http://127.0.0.1:{port}"], capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in text or "Socket errors" in text:
        raise SystemExit(f"wrk saw errors:\n{text}")
    return float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1))
