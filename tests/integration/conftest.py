"""Fixtures that start real programs: nginx, an S3 server, an SFTP server, and Chromium.

If one is missing, its tests are skipped, or fail if CI is "true".
"""

import getpass
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.browser import Viewer, chromium

CONFIGURATION = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
{user}
events {{ worker_connections 128; }}
http {{
    log_format counted '$request_method $uri $status $body_bytes_sent "$http_range"';
    access_log {folder}/access.log counted;
    client_body_temp_path {folder}/client; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        root {folder}/files;
        location /whole/ {{ alias {folder}/files/; max_ranges 0; }}
        location /dated/ {{ alias {folder}/files/; etag off; }}
        location /moved/ {{ rewrite ^/moved/(.*)$ /$1 redirect; }}
        location /private/ {{
            if ($http_authorization != "Bearer integration-token") {{ return 401; }}
            alias {folder}/files/;
        }}
        location /slow/ {{ alias {folder}/files/; limit_rate 20m; }}
    }}
}}
"""


def missing(what: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing")
    pytest.skip(f"{what} is missing")


@dataclass
class Nginx:
    folder: Path
    port: int

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self.port}/{name}"

    def put(self, name: str, data: bytes) -> str:
        """Replace a file atomically: no request sees a half-written file."""
        path = self.folder / "files" / name
        new = path.with_name(f"{name}.new")
        new.write_bytes(data)
        new.replace(path)
        return self.url(name)

    def requests(self) -> list[list[str]]:
        """Return method, path, status, bytes sent and range of each request since the last call."""
        log = self.folder / "access.log"
        time.sleep(0.05)  # nginx logs a request after it has sent the response
        lines = log.read_text().splitlines()
        log.write_text("")
        return [line.split(maxsplit=4) for line in lines]


def find(program: str, *packages: str) -> str:
    """Return the path of a program. If it is missing, root installs these Debian packages."""
    path = os.environ["PATH"] + os.pathsep + "/usr/sbin"
    found = shutil.which(program, path=path)
    if found is None and shutil.which("apt-get") and os.geteuid() == 0:
        for command in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
            subprocess.run(["apt-get", "-qq", *command], timeout=300, check=False, stdout=subprocess.DEVNULL)
        found = shutil.which(program, path=path)
    if found is None:
        missing(program)
    return found or ""


def free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port: int = server.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def nginx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nginx]:
    program = find("nginx", "nginx-light")
    server = Nginx(tmp_path_factory.mktemp("nginx"), free_port())
    (server.folder / "files").mkdir()
    user = "user root;" if os.geteuid() == 0 else ""
    configuration = server.folder / "nginx.conf"
    configuration.write_text(CONFIGURATION.format(folder=server.folder, port=server.port, user=user))
    process = subprocess.Popen([program, "-c", str(configuration), "-e", str(server.folder / "error.log")])
    try:
        wait_for(server.port, process)
        yield server
    finally:
        process.terminate()
        process.wait(10)


def wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(200):
        if process.poll() is not None:
            break
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    pytest.fail("the server did not start")


@dataclass
class S3:
    endpoint: str
    client: Any

    @property
    def options(self) -> dict[str, Any]:
        return {"endpoint_url": self.endpoint, "key": "integration-key", "secret": "integration-secret"}

    def put(self, name: str, data: bytes, bucket: str = "models") -> str:
        self.client.put_object(Bucket=bucket, Key=name, Body=data)
        return f"s3://{bucket}/{name}"


@pytest.fixture(scope="session")
def s3() -> Iterator[S3]:
    try:
        import boto3
        import moto.server  # noqa: F401
        import s3fs  # noqa: F401
    except ImportError as error:
        missing(str(error.name))
    port = free_port()
    # In a process of its own: a call of deltalake may keep the GIL while it waits for the answer.
    server = subprocess.Popen([sys.executable, "-m", "moto.server", "-p", str(port)], stderr=subprocess.DEVNULL)
    wait_for(port, server)
    endpoint = f"http://127.0.0.1:{port}"
    keys = {"aws_access_key_id": "integration-key", "aws_secret_access_key": "integration-secret"}
    client = boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1", **keys)
    client.create_bucket(Bucket="models")
    client.create_bucket(Bucket="versions")
    client.put_bucket_versioning(Bucket="versions", VersioningConfiguration={"Status": "Enabled"})
    try:
        yield S3(endpoint, client)
    finally:
        server.terminate()
        server.wait(10)


SSHD = """
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/key
AuthorizedKeysFile {folder}/key.pub
PasswordAuthentication no
UsePAM no
StrictModes no
PidFile none
Subsystem sftp internal-sftp
"""


@dataclass
class SFTP:
    folder: Path
    port: int

    @property
    def options(self) -> dict[str, Any]:
        return {"username": getpass.getuser(), "key_filename": str(self.folder / "key")}

    def put(self, name: str, data: bytes) -> str:
        path = self.folder / "models" / name
        path.write_bytes(data)
        return f"sftp://127.0.0.1:{self.port}{path}"


@pytest.fixture(scope="session")
def sftp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SFTP]:
    try:
        import paramiko  # noqa: F401
    except ImportError as error:
        missing(str(error.name))
    program = find("sshd", "openssh-server")
    server = SFTP(tmp_path_factory.mktemp("sftp"), free_port())
    (server.folder / "models").mkdir()
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", server.folder / "key"], check=True)
    configuration = server.folder / "sshd_config"
    configuration.write_text(SSHD.format(folder=server.folder, port=server.port))
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # sshd needs it, and Debian creates it when the service starts
    process = subprocess.Popen([program, "-D", "-f", configuration, "-E", server.folder / "log"])
    try:
        wait_for(server.port, process)
        yield server
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    try:
        import selenium  # noqa: F401
    except ImportError as error:
        missing(str(error.name))
    packages = ("chromium", "chromium-driver")
    with chromium(
        find("chromium", *packages), find("chromedriver", *packages), tmp_path_factory.mktemp("downloads")
    ) as viewer:
        yield viewer
