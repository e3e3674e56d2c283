"""`python -m kaitai_gguf`: the same as the command `kaitai-gguf`."""

from kaitai_gguf.cli import main

if __name__ == "__main__":
    main()
