"""Opened files: metadata, arrays, tensors, and models in several files."""
