"""Open files: metadata, arrays, tensors, models in several files."""
