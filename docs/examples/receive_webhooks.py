# Receives webhooks, verifies them, and keeps the newest state of each appointment. Python 3.10 alone, no packages:
#
#   WEBHOOK_SECRET='whsec_…' PORT=4000 python3 docs/examples/receive_webhooks.py
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

SECRET = os.environ["WEBHOOK_SECRET"].encode()
TOLERANCE_SECONDS = 300


def is_signed(header: str, body: bytes) -> bool:
    """Whether the body was signed with the secret within the last five minutes.

    `Service-Signature` is `t=<seconds>,v1=<hex>`, with a second `v1` while the secret is being rotated, so that the old
    and the new one are both accepted.
    """
    parts = [part.partition("=") for part in header.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    if len(times) != 1 or not times[0].isascii() or not times[0].isdigit():
        return False
    if abs(time.time() - int(times[0])) > TOLERANCE_SECONDS:
        return False
    expected = hmac.new(SECRET, times[0].encode() + b"." + body, hashlib.sha256).hexdigest()
    given = [value.encode() for name, _, value in parts if name == "v1"]
    return any(hmac.compare_digest(value, expected.encode()) for value in given)


# The newest state of each appointment. In a database this is one write: `… where id = ? and version < ?`.
appointments: dict[str, dict] = {}
lock = Lock()


def keep(appointment: dict) -> bool:
    """Keeps the appointment unless it is known in this version or a newer one: deliveries repeat, and come in any order."""
    with lock:
        known = appointments.get(appointment["id"])
        if known and known["version"] >= appointment["version"]:
            return False
        appointments[appointment["id"]] = appointment
        return True


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        # The bytes as they came: a body that was parsed and written again has another signature.
        if not is_signed(self.headers["Service-Signature"] or "", body):
            print("refused", flush=True)
            return self.answer(400)
        event = json.loads(body)
        appointment = event["data"]["object"]
        seen = "kept" if keep(appointment) else "known"
        print(seen, event["type"], event["id"], appointment["id"], "version", appointment["version"], appointment["status"], flush=True)
        self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver)
print(f"Listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
