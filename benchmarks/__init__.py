"""Benchmarks against other readers: `make bench-all` runs them and writes docs/benchmarks.md."""
