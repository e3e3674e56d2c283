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
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from support.browser import PAGE, PATIENCE, Viewer
from support.tools import missing
from support.viewer_models import llama

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


def require(*packages: str) -> None:
    if absent := [name for name in packages if find_spec(name) is None]:
        missing(absent)


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
    if shutil.which(program, path=path) is None and shutil.which("apt-get") and os.geteuid() == 0:
        for command in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
            subprocess.run(["apt-get", "-qq", *command], timeout=300, check=False, stdout=subprocess.DEVNULL)
    return shutil.which(program, path=path) or missing([program])


def free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port: int = server.getsockname()[1]
        return port


@contextmanager
def running(port: int, *command: str | Path) -> Iterator[None]:
    """Run a server, and wait until it accepts connections."""
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            for _ in range(200):
                assert process.poll() is None, "the server did not start"
                with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                time.sleep(0.05)
            yield
        finally:
            process.terminate()


@pytest.fixture(scope="session")
def nginx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nginx]:
    program = find("nginx", "nginx-light")
    server = Nginx(tmp_path_factory.mktemp("nginx"), free_port())
    (server.folder / "files").mkdir()
    user = "user root;" if os.geteuid() == 0 else ""
    configuration = server.folder / "nginx.conf"
    configuration.write_text(CONFIGURATION.format(folder=server.folder, port=server.port, user=user))
    with running(server.port, program, "-c", configuration, "-e", server.folder / "error.log"):
        yield server


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
    require("moto", "s3fs")
    import boto3

    port = free_port()
    endpoint = f"http://127.0.0.1:{port}"
    # In a process of its own: a call of deltalake may keep the GIL while it waits for the answer.
    with running(port, sys.executable, "-m", "moto.server", "-p", str(port)):
        keys = {"aws_access_key_id": "integration-key", "aws_secret_access_key": "integration-secret"}
        client = boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1", **keys)
        client.create_bucket(Bucket="models")
        client.create_bucket(Bucket="versions")
        client.put_bucket_versioning(Bucket="versions", VersioningConfiguration={"Status": "Enabled"})
        yield S3(endpoint, client)


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
    require("paramiko")
    program = find("sshd", "openssh-server")
    server = SFTP(tmp_path_factory.mktemp("sftp"), free_port())
    (server.folder / "models").mkdir()
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", server.folder / "key"], check=True)
    configuration = server.folder / "sshd_config"
    configuration.write_text(SSHD.format(folder=server.folder, port=server.port))
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # sshd needs it, and Debian creates it when the service starts
    with running(server.port, program, "-D", "-f", configuration, "-E", server.folder / "log"):
        yield server


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    """Start a headless Chromium."""
    require("selenium")
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    packages = ("chromium", "chromium-driver")
    options = ChromeOptions()
    options.binary_location = find("chromium", *packages)
    for option in ("headless=new", "hide-scrollbars", "disable-dev-shm-usage", "disable-background-networking"):
        options.add_argument(f"--{option}")
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # a sandbox does not work as root
    options.add_experimental_option("prefs", {"download.default_directory": str(tmp_path_factory.mktemp("downloads"))})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with Chrome(options=options, service=Service(find("chromedriver", *packages))) as driver:
        driver.set_page_load_timeout(PATIENCE)
        driver.set_script_timeout(PATIENCE)
        yield Viewer(driver)


@pytest.fixture
def viewer(browser: Viewer) -> Iterator[Viewer]:
    """Open the page from disk. Afterwards, check that it made no requests and that no script failed."""
    browser.resize(1440)
    browser.prefer("light")
    browser.open()
    yield browser
    browser.clear()
    assert [url for url in browser.urls() if url != PAGE.as_uri() and not url.startswith("blob:")] == []
    assert browser.complaints() == []


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return llama(tmp_path_factory.mktemp("models") / "example-8b-q4_k_m.gguf")
