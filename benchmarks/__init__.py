"""Benchmarks beside the peers: `make bench-all` runs them and writes docs/benchmarks.md."""
