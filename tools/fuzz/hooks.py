"""Lets generated requests meet things that exist, and counts what each operation answers."""

import atexit
import json
import os
import threading
import time
import urllib.request
from collections import Counter, defaultdict
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit, urlunsplit

import schemathesis
import seeds

BASE_URL = os.environ["FUZZ_BASE_URL"]
API_KEY = os.environ["FUZZ_API_KEY"]
TALLY = os.environ["FUZZ_TALLY"]

# Of three requests to a path with an id, two name something that exists; each thing serves a few requests.
STRANGERS_EVERY = 3
USES_OF_A_SEED = 8
BODY_EVERY = 3
ROOM_EVERY = 20
TRIES_WHEN_LIMITED = 10

lock = threading.RLock()
calls = Counter()
tally = defaultdict(Counter)
pool = {}


def api(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"}
    request = urllib.request.Request(BASE_URL + path, data=data, headers=headers, method=method)
    for _ in range(TRIES_WHEN_LIMITED):
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)
        except HTTPError as error:
            if error.code != 429:
                raise
            time.sleep(int(error.headers["Retry-After"]))
    raise RuntimeError(f"{method} {path} stays rate limited")


def make_room(path):
    for thing in api("GET", f"{path}?limit=100")["data"]:
        api("DELETE", f"{path}/{thing['id']}")


def made(kind):
    method, path, body = seeds.MAKERS[kind]
    try:
        return api(method, path, body())["id"]
    except HTTPError:
        if kind not in seeds.BOUNDED:
            raise
        make_room(seeds.BOUNDED[kind])
        return api(method, path, body())["id"]


def of_pool(name, make):
    """A thing that a few requests share, so that some find it as others left it."""
    held, uses = pool.get(name, (None, 0))
    if held is None or uses >= USES_OF_A_SEED:
        held, uses = make(), 0
    pool[name] = (held, uses + 1)
    return held


def prepared(operation, kind):
    thing = made(kind)
    if operation in seeds.BEFORE:
        method, path = seeds.BEFORE[operation]
        api(method, path.replace("{id}", thing), {})
    return {"id": thing}


def path_ids(operation, path):
    kind = next((kind for start, kind in seeds.KINDS.items() if path.startswith(start)), None)
    if kind is None:
        return {}
    if kind == "event":
        # An event without a delivery is an event all the same: looked for again with the next request.
        found = of_pool("event", lambda: seeds.found(api, made))
        if found is None:
            pool.pop("event")
        return found or {}
    return of_pool(operation, lambda: prepared(operation, kind))


def without_strangers(url):
    """No generated address may receive a packet: only the names in it are kept apart from its host."""
    try:
        parts = urlsplit(url)
        return urlunsplit(parts._replace(netloc="receiver.invalid")) if parts.hostname else url
    except ValueError:
        return url


def references(values, turn):
    for name, kind in seeds.REFERENCES.items():
        if isinstance(values.get(name), str) and turn % 2 == 0:
            values[name] = of_pool(f"reference {kind}", lambda kind=kind: made(kind))


@schemathesis.hook
def before_call(context, case, kwargs):
    path = case.operation.path
    operation = f"{case.operation.method.upper()} {path}"
    with lock:
        calls[operation] += 1
        turn = calls[operation]
        if case.operation.method.upper() == "POST" and path in seeds.BOUNDED.values() and turn % ROOM_EVERY == 0:
            make_room(path)
        if case.path_parameters and turn % STRANGERS_EVERY != 0:
            case.path_parameters.update({name: quote(value) for name, value in path_ids(operation, path).items()})
        if isinstance(case.query, dict):
            references(case.query, turn)
        if isinstance(case.body, dict):
            if operation in seeds.BODIES and turn % BODY_EVERY == 1:
                case.body.update(seeds.BODIES[operation]())
            references(case.body, turn)
            if isinstance(case.body.get("url"), str):
                case.body["url"] = without_strangers(case.body["url"])


@schemathesis.hook
def after_call(context, case, response):
    with lock:
        tally[f"{case.operation.method.upper()} {case.operation.path}"][response.status_code] += 1


@atexit.register
def write_tally():
    with open(TALLY, "w", encoding="utf-8") as file:
        json.dump(tally, file)
