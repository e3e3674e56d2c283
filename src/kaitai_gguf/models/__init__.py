"""Operations on whole models: convert, split, merge, diff, digest."""
