"""Calls the service with the generated client."""

import json
import os
from datetime import datetime, timedelta, timezone

import openapi_client as client

configuration = client.Configuration(host=os.environ["BASE_URL"], access_token=os.environ["API_KEY"])
api = client.ApiClient(configuration)
appointments = client.AppointmentsApi(api)
sessions = client.SessionsApi(api)
events = client.EventsApi(api)
endpoints = client.WebhookEndpointsApi(api)

START = datetime(2031, 3, 3, 9, 0, tzinfo=timezone.utc)
booked = None


def equal(actual, expected):
    assert actual == expected, f"{actual!r} is not {expected!r}"


def post_message():
    body = client.SendMessageDto(external_conversation_id="python", content="Hello", metadata={"channel": {"name": "web"}})
    sent = client.MessagesApi(api).send_message(body, idempotency_key="python-hello")
    equal((sent.role, sent.reply.role, sent.conversation.status), ("user", "assistant", "active"))
    equal(sent.conversation.metadata, {"channel": {"name": "web"}})
    assert sent.reply.content


def book():
    global booked
    customer = client.CustomerDto(email="python@client.example")
    body = client.BookAppointmentDto(customer=customer, service="python", starts_at=START, time_zone="Europe/Berlin")
    booked = appointments.book_appointment(body)
    equal((booked.starts_at, booked.failure, booked.confirmed_at), (START, None, None))
    same_version = client.ConfirmAppointmentDto(expected_version=booked.version)
    confirmed = appointments.confirm_appointment(booked.id, confirm_appointment_dto=same_version)
    equal((confirmed.status, confirmed.version), ("confirmed", booked.version + 1))


def find():
    # A fraction and an offset, as clients format times by themselves.
    hour_before = (START - timedelta(hours=1, microseconds=5)).astimezone(timezone(timedelta(hours=-3)))
    page = appointments.list_appointments(
        customer_id=booked.customer_id, starts_at_gte=hour_before, starts_at_lt=START + timedelta(hours=1)
    )
    equal([each.id for each in page.data], [booked.id])
    equal((page.has_more, page.next_cursor), (False, None))
    equal(appointments.list_appointments(customer_id=booked.customer_id, starts_at_gt=START).data, [])


def read_error():
    body = client.BookAppointmentDto(service="python", starts_at=START, ends_at=START)
    try:
        appointments.book_appointment(body)
    except client.ApiException as error:
        equal((error.status, error.data.error.code), (400, "time_range_invalid"))
        equal(json.loads(error.body)["error"]["param"], error.data.error.param)
        return
    raise AssertionError("the booking is taken")


def read_others():
    opened = sessions.open_session(client.OpenSessionDto(direction="inbound", var_from="anonymous"))
    equal((opened.outcome, opened.ended_at, opened.duration_seconds), (None, None, None))
    equal(sessions.close_session(opened.id, close_session_dto=client.CloseSessionDto(outcome="no_action")).outcome, "no_action")
    created = events.list_events(object_id=booked.id, order="asc").data[0]
    equal((created.previous_attributes.status, created.thin, created.data.object.id), (None, None, booked.id))
    endpoint = endpoints.register_webhook_endpoint(client.RegisterEndpointDto(url="https://hooks.client.example/"))
    tested = endpoints.test_webhook_endpoint(endpoint.id, test_endpoint_dto=client.TestEndpointDto())
    equal((tested.webhook_endpoint_id, tested.trigger), (endpoint.id, "test"))
    assert endpoints.delete_webhook_endpoint(endpoint.id).deleted


CALLS = {
    "posts a message and reads the reply": post_message,
    "books an appointment and passes on its version": book,
    "finds the appointment by a range of times": find,
    "reads the code of an error": read_error,
    "reads a call, an event and a delivery": read_others,
}

for name, call in CALLS.items():
    try:
        call()
        print(f"ok {name}")
    except Exception as error:  # noqa: BLE001
        print(f"FAILED {name}: {type(error).__name__} {str(error)[:2000]!r}")
