"""The description of the HTTP interface, at /openapi.json.

It is put together when somebody asks for it: that takes longer than starting the server, which does not need it.
"""

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from pokade import records
from pokade.server.network.messages.answers import ANSWERS, Refusal

Schema = dict[str, Any]
JSON: Final = "application/json"
RECORD: Final = "application/toml"
UPLOADS: Final = ("POST /api/replay", "POST /api/verify")  # their body is a record
OPENERS: Final = ("/api/tables", "/api/quick/{game}", "/api/lesson/{game}")  # a POST there answers with a table
TABLES: Final = ("", "/record", "/replay", "/verify", "/picture", "/analysis")  # what can be asked of a table
PICTURE: Final = "image/png"
OTHERS: Final = {  # answers that are no JSON
    "GET /api/tables/{table}/record": RECORD,
    "GET /api/tables/{table}/picture": PICTURE,
    "GET /metrics": "text/plain",
}
REFUSED: Final = {"4XX": "Refused, and nothing has changed.", "503": "Nothing can be kept now."}


def openapi(app: FastAPI) -> Schema:
    """The whole description, with every answer and every refusal."""
    api = get_openapi(title=app.title, version=app.version, routes=app.routes)
    answers, definitions = _schemas()
    for path, operations in api["paths"].items():
        for method, operation in operations.items():
            _complete(operation, f"{method.upper()} {path}", answers)
    _link_up(api["paths"])
    schemas = api["components"]["schemas"]
    for unused in ("HTTPValidationError", "ValidationError"):  # the framework's own refusals, which `app` rewrites
        schemas.pop(unused, None)
    schemas |= definitions
    return api


def _schemas() -> tuple[dict[str, Schema], dict[str, Schema]]:
    """The schema of each answer by its endpoint, that of a refusal by "", and what they have in common."""
    wanted = {**ANSWERS, "": Refusal}
    inputs = [(name, "serialization", TypeAdapter(answer)) for name, answer in wanted.items()]
    found, common = TypeAdapter.json_schemas(inputs, ref_template="#/components/schemas/{model}")  # type: ignore[arg-type]
    return {name: schema for (name, _), schema in found.items()}, common["$defs"]


def _complete(operation: Schema, name: str, answers: dict[str, Schema]) -> None:
    if name in UPLOADS:
        text = {"schema": {"type": "string", "minLength": 1, "maxLength": records.LARGEST, "description": "a record"}}
        operation["requestBody"] = {"required": True, "content": {RECORD: text, "text/plain": text}}
    kind = OTHERS.get(name, JSON)
    answer = {kind: {"schema": answers.get(name, {"type": "string"})}}
    refusal = {JSON: {"schema": answers[""]}}
    operation["responses"] = {"200": {"description": "As it was asked for.", "content": answer}} | {
        status: {"description": meaning, "content": refusal} for status, meaning in REFUSED.items()
    }


def _link_up(paths: Schema) -> None:
    """Say what an answer leads on to."""
    handed_over = paths["/api/handover"]["post"]
    handed_over["responses"]["200"]["links"] = {
        "take-over": _link(paths["/api/handover/{ticket}"]["post"], "ticket", "ticket")
    }
    asked = {
        (what or "table").strip("/"): _link(paths[f"/api/tables/{{table}}{what}"]["get"], "table", "id")
        for what in TABLES
    }
    asked["join"] = _link(paths["/api/join/{code}"]["get"], "code", "code")
    for path in OPENERS:
        paths[path]["post"]["responses"]["200"]["links"] = asked


def _link(operation: Schema, parameter: str, key: str) -> Schema:
    return {"operationId": operation["operationId"], "parameters": {parameter: f"$response.body#/{key}"}}
