"""The parsers of all languages refuse the same files, with an error and without a document."""

from pathlib import Path

from support.gguf_bytes import ARRAY, BIG_ENDIAN, STRING, UINT32, V1, V3
from toolchains import Language, refusals, run

WHOLE = V3.file([V3.key_value(STRING, V3.string(b"value"))], [V3.tensor((2, 3))])

BROKEN = {
    "nothing": b"",
    "other-magic": b"GGML" + WHOLE[4:],
    "version-0": V3.header().replace(b"\x03", b"\0", 1),
    "version-4": V3.header().replace(b"\x03", b"\x04", 1),
    "big-endian-version-4": BIG_ENDIAN.header().replace(b"\x03", b"\x04", 1),
    "value-type-13": V3.header([V3.key_value(13, V3.u4(0))]),
    "element-type-13": V1.header([V1.key_value(ARRAY, V1.array(13, 1, V1.u4(0)))]),
    "five-dims": V3.header(tensors=[V3.tensor((1,) * 5)]),
    "cut-magic": WHOLE[:3],
    "cut-key": WHOLE[:32],
    "cut-tensor": WHOLE[:60],
    "cut-offset": WHOLE[: len(V3.header([V3.key_value(STRING, V3.string(b"value"))], [V3.tensor((2, 3))])) - 1],
    "alignment-0": V3.header([V3.key_value(UINT32, V3.u4(0), b"general.alignment")]),
}


def test_broken_files(language: Language, tmp_path: Path) -> None:
    assert refusals(language.run, BROKEN, tmp_path).keys() == BROKEN.keys()


def test_the_file_that_they_are_made_from(language: Language, tmp_path: Path) -> None:
    path = tmp_path / "whole.gguf"
    path.write_bytes(WHOLE)
    assert run(language.run, path).returncode == 0
