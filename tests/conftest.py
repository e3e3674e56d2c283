"""Settings for all tests."""

import signal

from hypothesis import settings

# A shell starts what is in the background with Ctrl-C ignored, and so would be the programs that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Time is measured in benchmarks/, and machines are busy. For more examples there is `make fuzz`.
settings.register_profile("project", deadline=None, max_examples=50)
settings.load_profile("project")
