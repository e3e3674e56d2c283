"""Running work on several threads."""

import gc
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from kaitai_gguf.threads import as_completed, in_order, map_threads, together


def test_results_are_in_order() -> None:
    assert map_threads(lambda job: job * job, range(100), 4) == [job * job for job in range(100)]
    assert map_threads(str, [], 4) == []


def test_an_error_reaches_the_caller_and_starts_no_more_jobs() -> None:
    begun = []

    def work(job: int) -> float:
        begun.append(job)
        return 1 / job

    with pytest.raises(ZeroDivisionError):
        map_threads(work, [0, *range(1, 1000)], 2)
    assert len(begun) < 1000


def test_all_work_is_done_at_once() -> None:
    barrier, seen = threading.Barrier(3), []

    def work(number: int) -> None:
        barrier.wait(60)
        seen.append((number, threading.get_ident() == caller))

    caller = threading.get_ident()
    together(work, 3)
    assert sorted(seen) == [(0, True), (1, False), (2, False)]


@pytest.mark.parametrize("failing", [0, 1])
def test_an_error_is_raised_when_all_threads_have_ended(failing: int) -> None:
    waiting, ended = threading.Event(), []

    def work(number: int) -> None:
        if number == failing:
            waiting.set()
            raise ZeroDivisionError
        assert waiting.wait(60)
        ended.append(number)

    with pytest.raises(ZeroDivisionError):
        together(work, 2)
    assert ended == [1 - failing]


@pytest.mark.parametrize("results", [in_order, as_completed])
def test_a_limit_of_jobs_that_are_submitted(results: Callable[..., object]) -> None:
    begun: list[int] = []

    def submit(pool: ThreadPoolExecutor, job: int) -> Future[int]:
        begun.append(job)
        return pool.submit(lambda: -job)

    seen = []
    with ThreadPoolExecutor(4) as pool:
        for each in results(lambda job: submit(pool, job), iter(range(20)), 3):
            seen.append(each)
            assert len(begun) - len(seen) <= 2
        assert list(results(lambda job: submit(pool, job), [], 3)) == []
    assert sorted(seen) == [(job, -job) for job in range(20)]
    assert results is as_completed or seen == sorted(seen)


def test_as_completed_does_not_wait_for_a_slow_job() -> None:
    others_completed = threading.Event()

    def work(job: int) -> None:
        if job == 0:
            assert others_completed.wait(60)

    seen = []
    with ThreadPoolExecutor(2) as pool:
        for job, _ in as_completed(lambda job: pool.submit(work, job), range(10), 3):
            seen.append(job)
            if len(seen) == 9:
                others_completed.set()
    assert seen == [*range(1, 10), 0]


def test_as_completed_raises_the_error_of_a_job() -> None:
    with ThreadPoolExecutor(2) as pool, pytest.raises(ZeroDivisionError):
        list(as_completed(lambda job: pool.submit(lambda: 1 // job), [1, 0, 2], 2))


def test_as_completed_keeps_no_results() -> None:
    class Result:
        pass

    kept: list[weakref.ref[Result]] = []
    gc.disable()
    try:
        with ThreadPoolExecutor(1) as pool:
            for _, result in as_completed(lambda _: pool.submit(Result), range(10), 2):
                kept.append(weakref.ref(result))
            del result
    finally:
        gc.enable()
    assert [reference() for reference in kept] == [None] * 10


ON_ONE_PROCESSOR = """
import os, sys
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
import numpy as np
import kaitai_gguf
from kaitai_gguf.__main__ import main
from kaitai_gguf.threads import usable_processors

path, started = sys.argv[1], []
sys.addaudithook(lambda event, arguments: started.append(event) if event == "_thread.start_new_thread" else None)
array = np.zeros((1 << 24) + 32, np.int8)
kaitai_gguf.write(path, {"general.architecture": "llama"}, {"a": array, "b": array[:32]})
kaitai_gguf.dequantize(array, "I8")
kaitai_gguf.digest(path)
sys.argv = ["kaitai-gguf", "tensor", path, "a"]
try:
    main()
except SystemExit as exited:
    assert not exited.code
print(usable_processors(), started)
"""


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs affinity")
def test_a_process_on_one_processor_starts_no_threads(tmp_path: Path) -> None:
    command = [sys.executable, "-c", ON_ONE_PROCESSOR, str(tmp_path / "model.gguf")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1:] == ["1 []"], done.stderr
