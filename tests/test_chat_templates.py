"""Suspicious code in chat templates. Jinja itself tells where the tags of a template are, and what is in them."""

import ast
import re
import sys

import jinja2
import pytest
from hypothesis import given, strategies as st
from support.gguf_bytes import Model

import kaitai_gguf
from kaitai_gguf.chat_templates import suspicions, suspicious_templates, template_names

HARMLESS = [
    "",
    "x.__class__ __globals__ {% raw %}{{ x.__class__ }}{% endraw %}{# {{ x.__class__ }} #}",
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] }}{% endfor %}",
    "{%- set ns = namespace(attr='a', is__first=true) -%}{{ ns.attr }}{{ messages | map(attribute='role') | list }}",
    "{{ {'a': {'b': 1}}}}{{ '__' }}{{ '{{ x.__class__ }}' }}",
    "{{ raise_exception('from import include') }}{% if from %}{% endif %}",
    "{{ 'an end without a start' }} }} %} #}",
]

SUSPICIOUS = {
    "{{ cycler.__init__.__globals__.os.popen('id').read() }}": "uses __init__",
    "{% for c in ().__class__.__base__.__subclasses__() %}{% endfor %}": "uses __class__",
    "{%- if x['__class__'] -%}": "has the name '__class__' in a string",
    r"{{ '}}' ~ x['\x5f\x5fclass\u005f\137'] }}": "has the name '__class__' in a string",
    r"{{ x['\U0000005f\N{low line}a\N{LATIN SMALL LETTER B}'] }}": "has the name '__ax' in a string",
    "{{ x['__cla' ~ 'ss__'] }}": "has the name '__cla' in a string",
    "{{ x | map(attribute='__a__.b') }}": "has the name '__a__.b' in a string",
    "{{ x | attr('a') }}": "uses the filter attr",
    "{%+ import 'a' as b %}": "loads another template",
    "{% from 'a' import b %}": "loads another template",
    "{{ self._TemplateReference__context }}": "uses _TemplateReference__context",
    "{{ {'a': {'b': 1}}}.__class__ }}": "uses __class__",
    "{{ {'a': 5 %}.__class__ }}": "uses __class__",
    "{{ x.__class__": "uses __class__",
}


@pytest.mark.parametrize("template", HARMLESS)
def test_harmless_templates(template: str) -> None:
    assert list(suspicions(template)) == []


@pytest.mark.parametrize(("template", "reason"), SUSPICIOUS.items())
def test_suspicious_templates(template: str, reason: str) -> None:
    for before in ("", "{{ a }} {% raw %}{{ ' {% endraw %} ", "{# {{ ' #}{{ '%}' }}"):
        (found,) = suspicions(before + template)
        assert (found.position, found.reason) == (len(before), reason)
        assert found.code == template.partition("{% endfor")[0]


def test_each_tag_is_found_once_and_long_ones_are_shortened() -> None:
    first, second = suspicions("{{ a.__b__.__c__ }}\n{%\n  set x = __d__ " + "+ 1" * 50 + " %}{{ a }}")
    assert (first.code, second.code) == ("{{ a.__b__.__c__ }}", "{% set x = __d__ " + "+ 1" * 14 + "+…")


PIECES = [
    "{{", "}}", "{%", "%}", "{#", "#}", "{%- raw %}", "{% endraw -%}", "{", "}", "[", "]", "(", ")", "'", '"', "\\",
    " ", "a", ".", "|", "attr", "__x__", "import", "from", "'__x__'", "\n", "-", "+", "%",
]  # fmt: skip
LEXER = jinja2.Environment()


def is_suspicious(template: str) -> bool:
    """Return whether Jinja finds a suspicious token in a tag. Raises `TemplateSyntaxError`."""
    before = [""]
    for _, kind, text in LEXER.lex(template):
        if kind == "string" and re.search("__[a-z]", ast.literal_eval(text)):
            return True
        if kind == "name":
            is_first = before[-1].startswith("{%")
            if (
                text.startswith("__")
                or (is_first and text in ("import", "from"))
                or (before[-1], text) == ("|", "attr")
            ):
                return True
        if kind != "whitespace":
            before.append(text)
    return False


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_jinja_agrees(template: str) -> None:
    try:
        expected = is_suspicious(template)
    except (jinja2.TemplateSyntaxError, SyntaxError):
        list(suspicions(template))  # which is never rendered, but must not be refused either
    else:
        assert any(suspicions(template)) == expected


def test_names_of_templates() -> None:
    metadata = {
        "tokenizer.chat_template.rag": "{{ a.__b__ }}", "tokenizer.chat_template": "{{ a }}",
        "tokenizer.chat_template.tool": 5, "tokenizer.chat_templates": ["{{ a.__b__ }}"],
    }  # fmt: skip
    assert list(template_names(metadata)) == ["default", "rag", "tool"]
    assert suspicious_templates(metadata) == {"rag": "{{ a.__b__ }}"}


@pytest.mark.parametrize("start", ["{# ", "{% raw %} ", "{{ '", '{{ "\\'])
def test_what_jinja_refuses_for_a_missing_end_is_not_searched(start: str) -> None:
    """Looking for the end of each of many would take a time that grows with the square of their number."""
    template = start + "{{ a.__b__ }}"
    with pytest.raises(jinja2.TemplateSyntaxError):
        list(LEXER.lex(template))
    assert list(suspicions(template)) == []


def test_a_tag_with_many_tokens_takes_as_many_steps() -> None:
    steps = []
    for count in (1000, 10_000):
        events = []
        sys.setprofile(lambda *_, events=events: events.append(None))  # type: ignore[misc]
        try:
            assert list(suspicions("{{ " + "a " * count + "}}")) == []
        finally:
            sys.setprofile(None)
        steps.append(len(events))
    assert steps[1] < 11 * steps[0]


def test_long_templates_are_not_searched() -> None:
    long = "{{ a }}" * 80_000
    metadata = {"tokenizer.chat_template": long, "tokenizer.chat_template.b": long, "tokenizer.chat_template.c": ""}
    assert suspicious_templates(metadata) == {"b": "{{ a }}" * 8 + "{{ a…"}
    data = Model([(key, "string", text) for key, text in metadata.items()]).build()
    (first,) = (finding for finding in kaitai_gguf.check(data) if finding.rule == "template-code")
    assert first.message.startswith("the chat template 'b' is too long to be searched: '{{ a }}")


def test_all_tags_of_a_template_are_one_finding() -> None:
    data = Model([("tokenizer.chat_template", "string", "é{{ a.__b__ }}{{ a }}{{ c.__d__ }}")]).build()
    (finding,) = (each for each in kaitai_gguf.check(data) if each.rule == "template-code")
    assert finding.message == "the chat template 'default' uses __b__: '{{ a.__b__ }}', the first of 2 tags"
    assert (data[finding.offset :][:6], finding.count) == (b"{{ a._", 2)
