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


@schemathesis.auth()
class Bearer:
    """The account, wherever an operation asks for one; the operator, where it reads. Its acts would close what others ask for."""

    def get(self, case, context):
        return CODE

    def set(self, case, data, context):
        case.headers = case.headers or {}
        operates = case.method.upper() == "GET" and case.operation.path.startswith("/api/v1/operator")
        case.headers["Authorization"] = f"Bearer {OPERATOR if operates else data}"


@schemathesis.hook
def before_call(context, case, kwargs):
    """Each request comes from a network of its own, so that what a network may take is not what is tested."""
    case.headers = case.headers or {}
    case.headers["X-Forwarded-For"] = ".".join(str(random.randint(1, 223)) for _ in range(4))


@schemathesis.serializer("application/wasm")
def module(context, value):
    return value if isinstance(value, bytes) else str(value).encode()


@schemathesis.deserializer("application/wasm")
def bytes_of(context, response):
    return response.content
