"""Who asks, and how modules are sent, when schemathesis asks every operation of a site at ARENA_URL, whose operator has the token
ARENA_OPERATOR."""

import json
import os
import random
import urllib.request

import schemathesis

URL = os.environ["ARENA_URL"]
OPERATOR = os.environ["ARENA_OPERATOR"]


def claimed():
    """The player code of a new account."""
    body = json.dumps({"name": "Schema"}).encode()
    request = urllib.request.Request(f"{URL}/api/v1/accounts", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["code"]


CODE = claimed()


# Acts that undo what nobody has done. The others would close what is asked for, or take the account that asks for it.
HARMLESS = ("open_submissions", "open_rooms", "end_drain", "enable_bot", "enable_account", "restore_game")


def operates(case):
    """Whether the operator may ask this: what reads, and acts that change nothing but their log."""
    if not case.operation.path.startswith("/api/v1/operator"):
        return False
    return case.method.upper() == "GET" or (isinstance(case.body, dict) and case.body.get("act") in HARMLESS)


@schemathesis.auth()
class Bearer:
    """The operator, where it may ask; the account, wherever else an operation asks for one."""

    def get(self, case, context):
        return CODE

    def set(self, case, data, context):
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {OPERATOR if operates(case) else data}"


@schemathesis.hook
def before_call(context, case, kwargs):
    """Each request comes from a network of its own, so that what a network may take is not what is tested."""
    case.headers = case.headers or {}
    case.headers["X-Forwarded-For"] = ".".join(str(random.randint(1, 223)) for _ in range(4))


@schemathesis.check
def no_fault(context, response, case):
    """No request makes the site fail. A site that is asked for more than it has, says so and when to ask again, does not."""
    if response.status_code < 500:
        return
    refused = response.status_code == 503 and "retry-after" in response.headers and response.json().get("code") == "busy"
    assert refused, f"{response.status_code}: {response.text[:300]}"


@schemathesis.serializer("application/wasm")
def module(context, value):
    return value if isinstance(value, bytes) else str(value).encode()


@schemathesis.deserializer("application/wasm")
def bytes_of(context, response):
    return response.content
