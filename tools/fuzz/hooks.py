"""Points generated requests at existing resources, and counts the statuses of each operation."""

import atexit
import json
import os
import re
import threading
import time
import urllib.request
from collections import Counter, defaultdict
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit, urlunsplit

import codes  # registers its check on import
import schemathesis
import seeds
from hypothesis import strategies

BASE_URL = os.environ["FUZZ_BASE_URL"]
API_KEY = os.environ["FUZZ_API_KEY"]
TALLY = os.environ["FUZZ_TALLY"]

# Two of three requests to a path with an id use an existing resource; each resource serves a few requests.
STRANGERS_EVERY = 3
USES_OF_A_SEED = 8
BODY_EVERY = 3
ROOM_EVERY = 20
TRIES_WHEN_LIMITED = 10

KEY = re.compile(r"[!-~]([ -~]{0,200}[!-~])?")
TAG = re.compile(r'(W/)?"v[0-9]{1,15}"')

schemathesis.openapi.format("time-zone", strategies.sampled_from(seeds.ZONES))

lock = threading.RLock()
calls = Counter()
prepared_before = Counter()
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


def of_pool(name, make, most=USES_OF_A_SEED):
    """Returns a resource that a few requests share, so that some find it as others left it."""
    held, uses = pool.get(name, (None, 0))
    if held is None or uses >= most:
        held, uses = make(), 0
    pool[name] = (held, uses + 1)
    return held


def prepared(operation, kind):
    thing = made(kind)
    if operation in seeds.BEFORE:
        method, path = seeds.BEFORE[operation]
        api(method, path.replace("{id}", thing), {})
    prepared_before[operation] += 1
    if operation in seeds.ENDINGS and prepared_before[operation] % 2 == 0:
        method, path, body = seeds.ENDINGS[operation]
        api(method, path.replace("{id}", thing), body)
    return {"id": thing}


def path_ids(operation, path):
    kind = next((kind for start, kind in seeds.KINDS.items() if path.startswith(start)), None)
    if kind is None:
        return {}
    if kind in seeds.FOUND:
        name, find = seeds.FOUND[kind]
        found = of_pool(name, lambda: find(api, made))
        if found is None:
            # There is none yet: look again at the next request.
            pool.pop(name)
            return {}
        return {"id": found["delivery_id"]} if kind == "delivery" else found
    # A resource that was prepared for an operation, or is deleted by it, serves only one success.
    is_spent = operation in seeds.BEFORE or operation.startswith("DELETE ")
    most = 2 if is_spent else USES_OF_A_SEED
    return of_pool(operation, lambda: prepared(operation, kind), most)


def without_strangers(url, turn):
    """Replaces the host of a generated URL, so that no foreign host receives a packet."""
    try:
        parts = urlsplit(url)
        if not parts.hostname:
            return url
        parts = parts._replace(netloc="receiver.invalid")
        if turn % 2 == 1 and parts.scheme in ("http", "https"):
            parts = parts._replace(scheme="https", path=quote(parts.path), query=quote(parts.query))
        return urlunsplit(parts)
    except ValueError:
        return url


def references(values, turn):
    for name, kind in seeds.REFERENCES.items():
        if isinstance(values.get(name), str) and turn % 2 == 0:
            values[name] = of_pool(f"reference {kind}", lambda kind=kind: made(kind))


def renewed(headers, turn):
    """Makes every second key new, so that its request is executed, and every second version match."""
    for name, value in list(headers.items()):
        if not isinstance(value, str) or turn % 2 == 0:
            continue
        if name.lower() == "idempotency-key" and KEY.fullmatch(value):
            headers[name] = f"{value}-{next(seeds.SUFFIX)}"
        if name.lower() == "if-match" and TAG.fullmatch(value):
            headers[name] = "*"


def agreeing(body, turn):
    """Applies rules that the document cannot express: unique texts, and an end after its start."""
    start, end = body.get("starts_at"), body.get("ends_at")
    if turn % 4 != 0 and isinstance(start, str) and isinstance(end, str) and end <= start:
        body["starts_at"], body["ends_at"] = (end, start) if end < start else (start, None)
    if turn % 2 == 0:
        return
    body.pop("expected_version", None)
    for name, longest in seeds.NEW.items():
        if isinstance(body.get(name), str) and 0 < len(body[name]) <= longest:
            body[name] = f"{body[name][:longest - 8]}{next(seeds.SUFFIX)}"


def placed(query, path, turn):
    """Mostly reduces the cursors to one, and replaces it by a valid one."""
    if turn % 4 == 0:
        return
    if "starting_after" in query:
        query.pop("ending_before", None)
    for name in ("starting_after", "ending_before"):
        if str(query.get(name)).startswith("cur_"):
            cursor = None if "{" in path else of_pool(f"cursor {path}", lambda: api("GET", f"{path}?limit=1")["next_cursor"])
            query.update({name: cursor}) if cursor else query.pop(name)


def hastened(query):
    """Shortens a wait that would be granted to a second."""
    if re.fullmatch(r"\d{1,400}", str(query.get("wait", ""))):
        query["wait"] = min(1, int(query["wait"]))


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
            placed(case.query, path, turn)
            hastened(case.query)
        renewed(case.headers, turn)
        if isinstance(case.body, dict):
            if operation in seeds.BODIES and turn % BODY_EVERY == 1:
                case.body.update(seeds.BODIES[operation]())
            references(case.body, turn)
            agreeing(case.body, turn)
            if isinstance(case.body.get("url"), str):
                case.body["url"] = without_strangers(case.body["url"], turn)


@schemathesis.hook
def after_call(context, case, response):
    with lock:
        tally[f"{case.operation.method.upper()} {case.operation.path}"][response.status_code] += 1


@atexit.register
def write_tally():
    with open(TALLY, "w", encoding="utf-8") as file:
        json.dump(tally, file)
