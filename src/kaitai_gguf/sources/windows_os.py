"""File locks on Windows.

Windows has no `flock`, and other programs can't read a locked range. So the lock is on a single byte beyond the end of
any file. Windows also refuses to replace or remove a file that is open or mapped.
"""

import ctypes
import errno
import os
import struct
from typing import Any

POSITION = (1 << 63) - 2
"""The byte to lock: the second to last that a position can address."""

_FAIL_IMMEDIATELY, _EXCLUSIVE = 1, 2  # LOCKFILE_FAIL_IMMEDIATELY, LOCKFILE_EXCLUSIVE_LOCK
_LOCK_VIOLATION, _IO_PENDING = 33, 997

_IS_WINDOWS = os.name == "nt"


def is_windows() -> bool:
    return _IS_WINDOWS


def lock(descriptor: int, exclusive: bool) -> None:
    """Lock without waiting. Raises OSError with errno EAGAIN if another handle holds a conflicting lock."""
    flags = _FAIL_IMMEDIATELY | (_EXCLUSIVE if exclusive else 0)
    if not _kernel().LockFileEx(_handle(descriptor), flags, 0, 1, 0, ctypes.byref(_overlapped())):
        error = int(ctypes.get_last_error())  # type: ignore[attr-defined,unused-ignore]
        raise OSError(errno.EAGAIN if error in (_LOCK_VIOLATION, _IO_PENDING) else errno.ENOLCK, f"error {error}")


def unlock(descriptor: int) -> None:
    _kernel().UnlockFileEx(_handle(descriptor), 0, 1, 0, ctypes.byref(_overlapped()))


def _overlapped() -> Any:
    """Return a structure OVERLAPPED with the position."""
    return ctypes.create_string_buffer(struct.pack("@PPIIP", 0, 0, POSITION & 0xFFFFFFFF, POSITION >> 32, 0))


def _kernel() -> Any:
    return ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]


def _handle(descriptor: int) -> ctypes.c_void_p:
    import msvcrt

    return ctypes.c_void_p(msvcrt.get_osfhandle(descriptor))  # type: ignore[attr-defined,unused-ignore]
