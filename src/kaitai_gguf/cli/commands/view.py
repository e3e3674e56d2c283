"""`kaitai-gguf view`: show a model in the browser."""

import webbrowser

import click

from kaitai_gguf import GGUFError
from kaitai_gguf.cli.options import PIPES, file_argument
from kaitai_gguf.cli.served_file import ServedFile
from kaitai_gguf.cli.viewer_server import HOST, ViewerServer


@click.command(epilog=PIPES)
@file_argument
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, show_default="any free port", help="Port to listen on."
)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
def command(*, file: str, port: int, no_browser: bool) -> None:
    """Show FILE in the browser. Runs until Ctrl-C.

    FILE may be a URL: only the parts that are shown are read. If a model is split into several files, only
    FILE is shown.

    The page is served only to the browser that opens the address first, on this machine. It
    connects to nothing else.

    \b
    Examples:
      kaitai-gguf view model.gguf
      kaitai-gguf view model.gguf --port 8000 --no-browser
    """
    served = ServedFile(file)
    try:
        server = ViewerServer(served, port)
    except OSError as error:
        raise click.UsageError(f"can't listen on {HOST}, port {port}: {error.strerror}") from None
    with server:
        click.echo(f"{server.url}\nCtrl-C to stop")
        try:
            if not no_browser:
                webbrowser.open(server.url)  # a browser in the terminal blocks until it ends
            server.is_over.wait()
            raise GGUFError("its address was opened twice, and another user may have been first: start again")
        except KeyboardInterrupt:
            click.echo()
