"""What holds for all tests."""

from hypothesis import settings

# Time is measured in benchmarks/, and machines are busy. For more examples there is `make fuzz`.
settings.register_profile("project", deadline=None, max_examples=50)
settings.load_profile("project")
