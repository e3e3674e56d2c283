#!/bin/bash -eu
# Builds both fuzzers and their seeds into $OUT, with the variables of OSS-Fuzz, or only what is named as an argument.
# It runs in the root of the repository.

index() {
  $CC $CFLAGS -std=c99 -Wall -Wextra -Werror fuzz/index.c $LIB_FUZZING_ENGINE -o "$OUT/index"
}

reader() {
  pip3 install . pytest # pytest: tests/support imports it
  compile_python_fuzzer fuzz/reader.py --paths tests --collect-all kaitai_gguf --collect-all kaitai_gguf_schema \
    --add-data "$PWD/tests/attacks/files:attacks/files" --add-data "$PWD/tests/attacks/verdicts.json:attacks"
}

seeds() {
  for fuzzer in index reader; do
    zip -qr "$OUT/${fuzzer}_seed_corpus.zip" fuzz/corpus tests/attacks/files
    printf '[libfuzzer]\nmax_len = 4096\n' > "$OUT/$fuzzer.options"
  done
}

for step in ${@:-index reader seeds}; do "$step"; done
