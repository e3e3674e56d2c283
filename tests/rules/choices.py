"""Values for placeholders in the fixes of docs/rules.md that a user has to choose, for each case."""

Choices = dict[str, str | list[str]]

ARRAY = '["é", "b", "c"]'

CHOICES: dict[str, list[Choices]] = {
    "interrupted-edit": [{"KEY": "general.name", "VALUE": "Tiny"}],
    "key-utf8": [{"NEW_KEY": "a.b"}],
    "key-charset": [{"NEW_KEY": "a.b"}] * 11,
    "string-utf8": [{"VALUE": "café"}, {"VALUE": ARRAY}, {}],
    "bool-value": [{"VALUE": "true"}, {"VALUE": "[false, true, true]"}],
    "nested-array": [{"VALUE": "[1]", "TYPE": "uint8[]"}],
    "missing-architecture": [{"NAME": "llama"}],
    "architecture-name": [{"NAME": "llama"}] * 2,
    "key-type": [
        {"VALUE": "Tiny", "TYPE": "string"},
        {"VALUE": '["a"]', "TYPE": "string[]"},
        {"VALUE": "512", "TYPE": "uint32"},
        {"VALUE": "Tiny", "TYPE": "string"},
        {"VALUE": "[1, 1, 1, 1]", "TYPE": "int32[]"},
        {"VALUE": "0", "TYPE": "uint16"},
    ],
    "key-width": [{"VALUE": "512"}, {"VALUE": "0"}],
    "file-type-number": [{"VALUE": "7"}] * 2,
    "file-type": [{"VALUE": "7"}],
    "unknown-architecture": [{"NAME": "llama"}] * 3,
    "missing-hyperparameter": [
        {"KEY": "llama.block_count", "VALUE": "1"},
        {"KEY": "llama.attention.layer_norm_rms_epsilon", "VALUE": "1e-6"},
    ],
    "documented-key": [
        {"KEY": "llama.feed_forward_length", "VALUE": "128"},
        {
            "KEY=VALUE": [
                f"whisper.{coder}.{key}=1"
                for coder in ("encoder", "decoder")
                for key in ("context_length", "embedding_length", "block_count", "attention.head_count", "mels_count")
            ]
        },
    ],
    "unknown-tokenizer": [{"VALUE": "gpt2"}, {"VALUE": "qwen2"}],
    "token-id": [{"VALUE": "3"}],
    "token-type": [{"JSON": "[1, 1, 1, 1]"}],
    "duplicate-token": [{"JSON": '["<s>", "a", "b", "c"]'}],
    "merge-form": [{"JSON": '["a b"]'}],
    "vocab-size": [{"VALUE": "4"}],
    "name-utf8": [{"NAME": "a"}],
    "name-length": [{"NAME": "a"}],
    "missing-tensor": [{"TENSOR": "norm.weight", "NAME": "output_norm.weight"}],
    "empty-tensor": [{"PATTERN": "*.weight"}],
    "shard-keys": [{"KEY": "split.no", "VALUE": "0", "TYPE": "uint16"}],
    "shard-number": [{"VALUE": "1"}],
    "shard-tensors": [{"VALUE": "4"}],
    "shard-set": [
        {"KEY": "general.name", "VALUE": "a"},
        {"KEY": "split.tensors.count", "VALUE": "3"},
    ],
}
"""By rule, for each of its cases."""

NOT_FOR: set[tuple[str, int, int]] = {
    ("string-utf8", 2, 0),  # `set` can't write arrays of arrays
    ("trailing-bytes", 0, 1),  # a file with tensors
    ("trailing-bytes", 1, 0),  # a file without tensors
}
"""(rule, number of the case, number of the fix): the rule's text says that this fix does not apply to the case."""
