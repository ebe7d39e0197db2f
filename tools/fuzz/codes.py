"""Checks error codes against the descriptions: they are no enum in the document, so that codes can be added."""

import schemathesis


@schemathesis.check
def code_conformance(context, response, case):
    if response.status_code < 400:
        return
    described = case.operation.definition.raw["responses"][str(response.status_code)]["description"]
    code = response.json()["error"]["code"]
    assert f"`{code}`" in described, f"{code} is none of {described}"
