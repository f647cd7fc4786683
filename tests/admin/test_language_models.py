"""The page on which staff see who answers, try it and connect another: against a real server on this machine."""

import re
import socket

from django.contrib.messages import get_messages

from companion_site.llm.connections import QUESTION, list_connections
from companion_site.llm.models import LlmCall
from tests.admin.conftest import KEY, NOT_A_MODEL
from tests.cases import cases
from tests.llm.wire_server import Act

PAGE = "/admin/language-models/"


def told(answer):
    return [str(message) for message in get_messages(answer.wsgi_request)]


def tried(client, **given):
    return client.post(PAGE, {"provider": "openai", **given})


def test_without_a_model_the_page_says_what_to_write(unconnected):
    """Each that could be asked stands in its place with the lines that are missing."""
    text = unconnected.get(PAGE).text
    assert "the companion answers from memory alone" in text
    assert "ANTHROPIC_API_KEY=..." in text and "OPENAI_API_KEY=...\nOPENAI_CHAT_MODEL=..." in text
    assert "None was found." in text


def test_an_address_without_its_scheme_is_named(connected, unconnected, settings):
    """Nothing can be tried there, and the page says why."""
    settings.OPENAI_BASE_URL = settings.OPENAI_BASE_URL.removeprefix("http://")
    text = unconnected.get(PAGE).text
    assert "the address in OPENAI_BASE_URL has to begin with http:// or https://" in text
    assert "At ." not in text


def test_staff_are_told_on_the_start_page_until_one_is_connected(unconnected, settings):
    """The card leads to the page, and goes by itself."""
    assert (
        f'href="{PAGE}"'
        in re.search(r"<section[^>]*no-model.*?</section>", unconnected.get("/admin/").text, re.S)[0]
    )
    settings.ANTHROPIC_API_KEY = KEY
    assert "No language model is connected" not in unconnected.get("/admin/").text


def test_the_order_and_what_leaves_are_shown_and_no_key_is(connected, unconnected, settings):
    """A place elsewhere says what it is told; one on this machine, that nothing leaves. Of an address the host alone."""
    settings.ANTHROPIC_API_KEY = KEY
    settings.LLM_CHAIN = ["openai", "anthropic", "offline"]
    settings.ANTHROPIC_BASE_URL = f"https://user:{KEY}@models.example/secret-path"
    text = unconnected.get(PAGE).text
    assert text.index("OpenAI") < text.index("Anthropic") < text.index("The companion without a model")
    here, there = (part.split("</li>")[-2] for part in re.split(r'<h3 class="models__name">', text)[1:3])
    assert "Nothing leaves this machine." in here and "Never told" not in here
    assert "what is remembered that fits it" in there and "phone numbers" in there
    assert "models.example" in text and "secret-path" not in text and KEY not in text


def test_one_that_answers_says_how_fast(connected, unconnected):
    """A try is one short question of nobody's words, for the model that is asked for; it is counted as a call."""
    answer = tried(unconnected, role="fast")
    assert answer.status_code == 302
    (said,) = told(answer)
    assert re.fullmatch(r"small answers: its first word after .+, the whole after .+\.", said)
    (asked,) = connected.requests
    assert asked.body["model"] == "small" and asked.last_text == QUESTION and not asked.system_text
    call = LlmCall.objects.get()
    assert (call.purpose, call.outcome, call.role) == ("connection.test", "ok", "fast")


@cases(
    ("act", "reason"),
    [
        (Act(status=401), "It did not accept the key."),
        (Act(status=402), "There is no money left on the account."),
        (Act(status=404), "It does not know this model, or the address is wrong."),
        (Act(status=429), "It is too busy just now, or the account has used all that it may use."),
        (Act(status=503), "It answered with an error (status 503)."),
        (Act(text=""), "It answered, but said nothing."),
        (Act(refuse_after=0), "It is there, but did not want to answer."),
        (Act(cut_after=2), "It broke off in the middle of its answer."),
    ],
)
def test_a_failure_is_told_in_plain_words(connected, unconnected, act, reason):
    """Once asked, not again; neither the key nor what the provider said stands in the answer."""
    connected.clear()
    connected.script(act)
    assert told(tried(unconnected))[-1] == f"big: {reason}"
    assert len(connected.requests) == 1


def test_one_that_never_answers_is_left(connected, unconnected, settings):
    """The wait is the one that a reply has."""
    tried(unconnected)  # the SDK is loaded now
    connected.script(Act(hang="request"))
    settings.LLM_FIRST_TOKEN_TIMEOUT_S = 0.3
    assert told(tried(unconnected))[-1] == "big: It did not answer in time."


def test_an_address_where_nobody_is_says_so(connected, unconnected, settings):
    """A port that nobody listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        settings.OPENAI_BASE_URL = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        assert told(tried(unconnected)) == ["big: No language model answers at this address."]


def test_a_server_on_this_machine_is_found_and_tried(runs_here, unconnected):
    """It is offered with the lines that connect it; what makes vectors and what no line could hold is left out."""
    text = unconnected.get(PAGE).text
    lines = f"OPENAI_BASE_URL=http://127.0.0.1:{runs_here.port}/v1\nOPENAI_CHAT_MODEL=tiny:1b</pre>"
    assert lines in text
    assert "my model" not in text and NOT_A_MODEL not in text
    (said,) = told(unconnected.post(PAGE, {"server": "ollama", "model": "tiny:1b"}))
    assert said.startswith("tiny:1b answers")
    assert "authorization" not in runs_here.requests[0].headers


def test_the_lines_fit_what_is_set_already(runs_here, unconnected, settings):
    """A key for elsewhere is not sent to this machine, and a chain without the place gets it; connected, no line is left."""
    settings.OPENAI_API_KEY, settings.LLM_CHAIN = KEY, ["anthropic", "offline"]
    text = unconnected.get(PAGE).text
    assert "tiny:1b\nOPENAI_API_KEY=\nLLM_CHAIN=openai,anthropic,offline</pre>" in text
    settings.OPENAI_BASE_URL = f"http://localhost:{runs_here.port}/v1/"
    assert "Runs on this machine, and is connected." in unconnected.get(PAGE).text


def test_what_else_listens_there_is_no_model(runs_here, unconnected):
    """An empty list offers nothing, and the site does not ask itself."""
    runs_here.models = ()
    assert "None was found." in unconnected.get(PAGE).text
    before = len(runs_here.requests)
    unconnected.get(PAGE, SERVER_PORT=str(runs_here.port))
    assert len(runs_here.requests) == before


def test_nobody_names_another_address(connected, unconnected):
    """Who is tried is one of the chain or of the list; whatever else a post says, nothing is asked."""
    for given in (
        {},
        {"provider": "offline"},
        {"provider": "anthropic"},
        {"provider": "openai", "role": "judge"},
        {"server": "ollama", "model": "tiny:1b"},
        {"server": connected.url, "model": "tiny:1b"},
    ):
        assert unconnected.post(PAGE, given).status_code == 404, given
    assert connected.requests == []


def test_a_place_shows_the_settings_it_has(settings):
    """A server of one's own needs no key, and one model does both kinds of work."""
    settings.LLM_CHAIN = ["openai", "offline", "openai"]
    settings.OPENAI_API_KEY, settings.OPENAI_BASE_URL = "", "http://127.0.0.1:11434/v1"
    settings.OPENAI_CHAT_MODEL, settings.OPENAI_FAST_MODEL = "", "one"
    (found,) = list_connections()
    assert (found.missing, found.models) == ((), {"chat": "one", "fast": "one"})
