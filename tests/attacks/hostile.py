"""A model whose names and values are escape sequences, paths, markup and templates."""

from support.gguf_bytes import ARRAY, F32, STRING, UINT8, UINT32, array, file, key_value, string, tensor, u4

TEXTS = [
    b"\x1b[31mred\x1b]0;title\x07\x1b[2J\x1bP+q\x1b\\\x9b2J\xc2\x9b2J",  # escapes, C1 controls included
    b"line\r\nnext\ttab\x0b\x0c\x08\x7f\0nul",
    "\u202ertl\u2066\u200b\u00ad\ufeff\u2028\U000e0041".encode(),
    b"\xff\xfe\xed\xa0\x80\xc0\x80",
    b"../../../../outside",
    b"/outside",
    b"..",
    b"C:\\outside",
    b"--help",
    b"-",
    b"CON",
    b"</text><script>alert(1)</script>",
    b'"\'/><image href="http://x" onload="alert(1)"/>',
    b"]]><!ENTITY x SYSTEM 'file:///etc/passwd'>&x;&amp;&#27;",
    b"{{ ''.__class__.__mro__ }}{% for x in range(10) %}${7*7}#{7*7}%s%n",
    b"[bold]markup[/bold] :fox: [link=http://x]x[/link]",
    b"__import__('os').system('id')",
    b"=cmd|' /C calc'!A0",
    b"__metadata__",
    b"n" * 3000,
]


def model() -> bytes:
    """Return a valid file that can be read, checked, explained and exported."""
    metadata = [
        key_value(STRING, string(TEXTS[0]), b"general.architecture"),
        key_value(STRING, string(TEXTS[11]), b"general.name"),
        key_value(STRING, string(TEXTS[4]), b"general.basename"),
        key_value(STRING, string(TEXTS[14]), b"tokenizer.chat_template"),
        key_value(STRING, string(TEXTS[1]), b"tokenizer.ggml.model"),
        key_value(ARRAY, array(STRING, len(TEXTS), b"".join(map(string, TEXTS))), b"tokenizer.ggml.tokens"),
        key_value(UINT32, u4(2**32 - 1), b"tokenizer.ggml.bos_token_id"),
        key_value(ARRAY, array(ARRAY, 1, array(STRING, 1, string(TEXTS[2]))), b"nested"),
        *(key_value(STRING, string(text), text) for text in TEXTS),
    ]
    tensors = [tensor((2,), F32, 32 * number, text) for number, text in enumerate(TEXTS)]
    return file(metadata, tensors, b"".join(u4(0x3F800000) * 8 for _ in TEXTS))


def broken() -> dict[str, bytes]:
    """Return files that are refused with an error that quotes one of the texts."""
    twice = {f"key {number}": file([key_value(UINT8, b"\0", text)] * 2) for number, text in enumerate(TEXTS)}
    rows = {f"row {number}": file(tensors=[tensor((5,), 2, 0, text)]) for number, text in enumerate(TEXTS)}
    return twice | rows | {"magic": TEXTS[0]}
