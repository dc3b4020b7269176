"""One shape for all errors, in the reader's language."""

from typing import Any

import pytest

from tests.webui.conftest import Browser, House

STALE = {
    "en": "Somebody was faster. Look at the table and tap again.",
    "de": "Jemand war schneller. Schau auf den Tisch und tippe noch einmal.",
    "fr": "Quelqu'un a été plus rapide. Regardez la table et touchez encore.",
}


def error_of(answer: Any) -> dict[str, str]:
    assert set(answer.json) == {"error"}
    error: dict[str, str] = answer.json["error"]
    assert set(error) == {"code", "message", "detail"}
    assert error["message"]
    return error


def test_unknown_page(house: House) -> None:
    answer = house.host().get("/nowhere")
    assert (answer.status_code, error_of(answer)["code"]) == (404, "not-found")


def test_wrong_method(house: House) -> None:
    answer = house.host().get("/api/undo")
    assert (answer.status_code, error_of(answer)["code"]) == (405, "wrong-method")


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (b"{", "body: is not JSON"),
        (b"[]", "body: expected an object"),
        (b'{"tap": "a", "game": 1}', "number is missing"),
        (b'{"tap": "a", "game": 1, "number": true}', "number: expected a whole number"),
        (b'{"tap": "a", "game": 1, "number": 1, "x": 1}', '"x" is unknown'),
        (b"\xff", "not UTF-8"),
        (b"[" * 20_000, "nested too deeply"),
    ],
)
def test_malformed_body(house: House, body: bytes, detail: str) -> None:
    client = house.host().client
    answer = client.post("/api/undo", data=body, content_type="application/json")
    assert answer.status_code == 400
    error = error_of(answer)
    assert error["code"] == "malformed"
    assert detail in error["detail"]


def test_a_body_that_does_not_say_it_is_json(house: House) -> None:
    answer = house.host().client.post("/api/undo", data="tap=1")
    assert (answer.status_code, error_of(answer)["code"]) == (400, "malformed")


def test_too_large_body(house: House) -> None:
    client = house.host().client
    answer = client.post("/api/undo", data=b"x" * 40_000, content_type="application/json")
    assert (answer.status_code, error_of(answer)["code"]) == (413, "too-large")


def test_what_does_not_fit_changes_nothing(house: House) -> None:
    host = house.host()
    answer = host.tap("lay", player=0, slot="9N9", card="red-3")
    assert (answer.status_code, error_of(answer)["code"]) == (400, "does-not-fit")
    assert "9N9" in answer.json["error"]["detail"]
    assert host.state()["number"] == 1


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_errors_speak_the_readers_language(house: House, language: str) -> None:
    host = house.host(language)
    old = host.state()
    host.tap("begin")
    assert error_of(host.tap("begin", old))["message"] == STALE[language]
    asked = house.host("en").client.post(f"/api/undo?language={language}", json={})
    assert "message" in error_of(asked)


def test_a_person_gets_a_page_and_a_script_gets_json(house: House) -> None:
    stranger = Browser(house.app.test_client(), "de")
    page = stranger.get("/", Accept="text/html,application/xhtml+xml,*/*;q=0.8")
    assert page.status_code == 403
    assert page.mimetype == "text/html"
    assert "Scanne den QR-Code" in page.get_data(as_text=True)
    assert error_of(stranger.get("/", Accept="application/json"))["code"] == "no-link"


def test_a_fault_of_ours_is_said_without_its_inside(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house.session, "frame", lambda _: 1 / 0)
    answer = house.host().get("/api/state")
    assert (answer.status_code, error_of(answer)["code"]) == (500, "broken")
    assert "ZeroDivision" not in answer.get_data(as_text=True)
