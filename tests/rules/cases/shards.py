"""Cases about shards and file names."""

from support.gguf_bytes import Model, TensorSpec

from rules.build import F32, Broken, good, value_place, with_key
from rules.cases.registry import at, case


def shard(number: int, count: int, tensors: int) -> Model:
    model = with_key("split.no", "uint16", number)
    model = with_key("split.count", "uint16", count, model)
    return with_key("split.tensors.count", "int32", tensors, model)


@case("shard-keys")
def no_shard_number() -> Broken:
    model = shard(0, 2, 4)
    model.metadata = [row for row in model.metadata if row[0] != "split.no"]
    return Broken(model.build(), 24, "/metadata")


case("shard-number")(lambda: at(value_place(shard(2, 2, 4), -3), shard(2, 2, 4)))
case("shard-tensors")(lambda: at(value_place(shard(0, 2, 1), -1), shard(0, 2, 1)))


@case("shard-name", "Tiny-1K-v1.0-00002-of-00002.gguf")
def another_name() -> Broken:
    return Broken(shard(0, 2, 4).build(), 0, "/")


@case("shard-name", "Tiny-1K-v1.0-00002-of-00003.gguf")
def name_of_a_shard() -> Broken:
    return Broken(good().build(), 0, "/", ())


def shards(count: int = 2) -> dict[str, Model]:
    """Return all shards of a model by name. The first has all metadata and two tensors, the others one tensor each."""
    files = {}
    for number in range(count):
        model = shard(number, count, count + 1)
        if number:
            model.metadata = model.metadata[-3:]
            model.tensors, model.data = [TensorSpec(f"blk.{number}.attn_norm.weight", (32,), F32, 0)], bytes(128)
        files[f"Tiny-1K-v1.0-{number + 1:05}-of-{count:05}.gguf"] = model
    return files


FIRST, SECOND = shards()


def of_set(files: dict[str, Model], name: str, refused_by: tuple[str, ...] | None = None) -> Broken:
    """Return a case about one of these shards, with the others in the same folder."""
    others = {other: model.build() for other, model in files.items() if other != name}
    return Broken(files[name].build(), 0, "/", refused_by, others)


@case("shard-missing", FIRST)
def second_shard_missing() -> Broken:
    return of_set({FIRST: shards()[FIRST]}, FIRST)


@case("shard-missing", SECOND)
def first_shard_missing() -> Broken:
    return of_set({SECOND: shards()[SECOND]}, SECOND)


@case("shard-set", SECOND)
def name_set_in_one_shard() -> Broken:
    files = shards()
    files[FIRST].metadata.insert(0, ("general.name", "string", "a"))
    files[SECOND].metadata.append(("general.name", "string", "b"))
    return of_set(files, SECOND, ())


@case("shard-set", SECOND)
def another_number_of_tensors() -> Broken:
    files = shards()
    files[SECOND].metadata[-1] = ("split.tensors.count", "int32", 7)
    return of_set(files, SECOND, ())


@case("file-name", "model.gguf")
def short_name() -> Broken:
    return Broken(good().build(), 0, "/")
