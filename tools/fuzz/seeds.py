"""The resources that the fuzzer uses: tables to extend with new operations."""

SUFFIX = iter(range(1_000_000, 10_000_000))


def phone():
    return f"+49151{next(SUFFIX)}"


def booking():
    day = next(SUFFIX)
    return {
        "service": f"cleaning {day}",
        "starts_at": "2031-03-02T09:00:00.000Z",
        "duration_minutes": 30,
        "time_zone": "Europe/Berlin",
        "customer": {"phone": phone()},
    }


def session():
    return {"direction": "inbound", "from": phone(), "to": "+4930123456"}


def message():
    return {"external_conversation_id": f"thread {next(SUFFIX)}", "content": "Hello"}


def endpoint():
    return {"url": "https://receiver.invalid/hooks"}


# Kind of resource -> method, path and body that create one.
MAKERS = {
    "conversation": ("POST", "/v1/conversations", dict),
    "customer": ("POST", "/v1/customers", lambda: {"phone": phone()}),
    "session": ("POST", "/v1/sessions", session),
    "appointment": ("POST", "/v1/appointments", booking),
    "webhook_endpoint": ("POST", "/v1/webhook_endpoints", endpoint),
}

# Prefix of a path -> kind of its {id}. Events, deliveries and issues result from changes of appointments, tasks from requests about
# many deliveries: see `FOUND`.
KINDS = {
    "/v1/conversations/{id}/messages/{message_id}": "message",
    "/v1/conversations/{id}": "conversation",
    "/v1/customers/{id}": "customer",
    "/v1/sessions/{id}": "session",
    "/v1/appointments/{id}": "appointment",
    "/v1/webhook_endpoints/{id}": "webhook_endpoint",
    "/v1/events/{id}": "event",
    "/v1/deliveries/{id}": "delivery",
    "/v1/issues/{id}": "issue",
    "/v1/tasks/{id}": "task",
}

# Members of bodies, and filters, that refer to resources.
REFERENCES = {
    "customer_id": "customer",
    "session_id": "session",
    "conversation_id": "conversation",
    "endpoint_id": "webhook_endpoint",
}

# Members that an operation needs and random generation does not find, merged into every third body.
BODIES = {
    "POST /v1/messages": message,
    "POST /v1/conversations/{id}/messages": lambda: {"content": "Hello"},
    "POST /v1/customers": lambda: {"phone": phone()},
    "POST /v1/sessions": session,
    "POST /v1/appointments": booking,
    "POST /v1/appointments/{id}/reschedule": lambda: {"starts_at": "2031-04-02T09:00:00.000Z", "ends_at": None},
    "POST /v1/appointments/{id}/rebook": lambda: {"starts_at": "2031-05-02T09:00:00.000Z", "ends_at": None},
    "POST /v1/webhook_endpoints": endpoint,
}

# Members that must be unique but that random generation repeats, with their maximum lengths.
NEW = {"external_id": 255, "external_conversation_id": 255}

# Examples of the format `time-zone`.
ZONES = ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Asia/Kathmandu", "Etc/GMT+12"]

# Requests that a new resource needs before an operation can succeed on it.
BEFORE = {
    "POST /v1/appointments/{id}/rebook": ("POST", "/v1/appointments/{id}/cancel"),
    "POST /v1/conversations/{id}/resume": ("POST", "/v1/conversations/{id}/handoff"),
}

# Requests that end every second new resource before an operation: answers about ended ones have members of their own.
ENDINGS = {
    "GET /v1/customers/{id}": ("DELETE", "/v1/customers/{id}", None),
    "GET /v1/conversations/{id}": ("POST", "/v1/conversations/{id}/end", {}),
    "GET /v1/sessions/{id}": ("POST", "/v1/sessions/{id}/close", {}),
    "GET /v1/appointments/{id}": ("POST", "/v1/appointments/{id}/cancel", {}),
}

# Kinds with a limit per project: all are deleted when one cannot be created, and regularly.
BOUNDED = {"webhook_endpoint": "/v1/webhook_endpoints"}


def found_event(api, made):
    """Finds an event with a replayable delivery; otherwise makes an endpoint and a booking, which lead to one a moment later."""
    listening = {endpoint["id"] for endpoint in api("GET", "/v1/webhook_endpoints?limit=100&status=enabled")["data"]}
    for event in api("GET", "/v1/events?limit=5")["data"]:
        for delivery in api("GET", f"/v1/events/{event['id']}/deliveries")["data"]:
            if delivery["webhook_endpoint_id"] in listening:
                return {"id": event["id"], "delivery_id": delivery["id"]}
    made("webhook_endpoint")
    made("appointment")
    return None


def found_message(api, made):
    """Posts a message, whose path names its conversation too."""
    posted = api("POST", "/v1/messages", message())
    return {"id": posted["conversation_id"], "message_id": posted["id"]}


def found_issue(api, made):
    """Finds an issue; otherwise makes an endpoint that cannot be reached, and bookings that it is told of, which lead to one."""
    issues = api("GET", "/v1/issues?limit=1")["data"]
    if issues:
        return {"id": issues[0]["id"]}
    made("webhook_endpoint")
    for _ in range(3):
        made("appointment")
    return None


def found_task(api, made):
    """Counts what a replay of all that failed would send."""
    task = api("POST", "/v1/deliveries/retry", {"created_at": {"gte": "2020-01-01T00:00:00.000Z"}, "dry_run": True})
    return {"id": task["id"]}


# Kind -> the pool it shares, and how it is found.
FOUND = {
    "message": ("message", found_message),
    "event": ("event", found_event),
    "delivery": ("event", found_event),
    "issue": ("issue", found_issue),
    "task": ("task", found_task),
}
