"""What holds for all tests."""

from hypothesis import settings

settings.register_profile("project", deadline=None)  # time is measured in benchmarks/, and machines are busy
settings.load_profile("project")
