"""`kaitai-gguf hash`: hash tensors and files, and write and check manifests."""

import json

import click

import kaitai_gguf
from kaitai_gguf.cli.files import check_target, open_model, source_of, write_file
from kaitai_gguf.cli.manifest import Manifest, compare, load
from kaitai_gguf.cli.options import (
    PIPES,
    SAYS_NO,
    InputPath,
    dry_run_option,
    file_argument,
    force_option,
    json_option,
    output_option,
)
from kaitai_gguf.cli.output import counted, print_json, progress
from kaitai_gguf.cli.table import print_table


@click.command(epilog=PIPES)
@file_argument
@click.option("--algorithm", type=click.Choice(kaitai_gguf.HASHES), help="The hash to use; sha256 by default.")
@click.option("--only", type=click.Choice(["tensors", "file"]), help="Hash only the tensors, or only the file.")
@output_option("MANIFEST", "Write the hashes to this file.")
@click.option("--check", type=InputPath(), metavar="MANIFEST", help="Check FILE against the hashes in this file.")
@force_option
@dry_run_option
@json_option
def command(
    *,
    file: str,
    algorithm: str | None,
    only: str | None,
    output: str | None,
    check: str | None,
    force: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Hash each tensor of FILE, and the file as a whole.

    The stored bytes are hashed, so a byte-swapped file has different hashes. For a file, sha256
    is the hash that sha256sum prints, and xxh3 the one that `xxhsum -H3` prints. xxh3 is much
    faster, but does not protect against malicious changes; it needs pip install xxhash. If an edit
    of FILE was interrupted, the bytes before the edit are hashed.

    --check compares FILE with a manifest that --output has written, and lists what differs.

    Exit status: 1 if --check finds differences, 2 if a file can't be read.

    \b
    Examples:
      kaitai-gguf hash model.gguf
      kaitai-gguf hash model.gguf --only tensors --algorithm xxh3
      kaitai-gguf hash model.gguf --output hashes.json
      kaitai-gguf hash model.gguf --check model.json
    """
    if check is not None:
        if output is not None or algorithm is not None or only is not None:
            raise click.UsageError("--check can't be combined with --algorithm, --only or --output")
        _check(file, load(check), as_json)
        return
    if output is not None:
        check_target(output, force)  # fail before the work is done
    with open_model(file) as model:
        manifest = _hash(model, algorithm or "sha256", files=only != "tensors", tensors=only != "file")
    if output is not None:
        text = json.dumps(manifest.document(), indent=1) + "\n"
        write_file(output, text.encode(), force=force, dry_run=dry_run, as_json=as_json)
    elif as_json:
        print_json(manifest.document())
    else:
        print_table([manifest.algorithm, "file or tensor"], manifest.rows())


def _hash(model: kaitai_gguf.GGUFFile, algorithm: str, *, files: bool, tensors: bool) -> Manifest:
    nbytes = (model.nbytes if files else 0) + (model.tensors.data_nbytes if tensors else 0)
    with progress("hashing", nbytes) as advance:
        digests = kaitai_gguf.digest(model, algorithm, files=files, tensors=tensors, progress=advance)
    return Manifest.of(model, digests)


def _check(file: str, expected: Manifest, as_json: bool) -> None:
    with kaitai_gguf.open(source_of(file)) as model:
        actual = _hash(model, expected.algorithm, files=bool(expected.files), tensors=bool(expected.tensors))
    differences = compare(expected, actual)
    if as_json:
        print_json({"same": not differences, "differences": [difference.document() for difference in differences]})
    elif differences:
        print_table(["what", "name", "differs"], differences)
    else:
        checked = [counted(len(expected.files), "file")] if expected.files else []
        checked += [counted(len(expected.tensors), "tensor")] if expected.tensors else []
        click.echo(f"matches the manifest: {', '.join(checked) or 'nothing'}")
    if differences:
        click.get_current_context().exit(SAYS_NO)
