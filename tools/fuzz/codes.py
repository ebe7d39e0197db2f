"""Error codes are no enumeration in the document, since codes are added: each refusal's description names those it has."""

import schemathesis


@schemathesis.check
def code_conformance(context, response, case):
    if response.status_code < 400:
        return
    described = case.operation.definition.raw["responses"][str(response.status_code)]["description"]
    code = response.json()["error"]["code"]
    assert f"`{code}`" in described, f"{code} is none of {described}"
