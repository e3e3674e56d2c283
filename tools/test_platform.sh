#!/usr/bin/env bash
# Runs the tests of the last commit on another platform: tools/test_platform.sh PLATFORM, as root on Debian.
#
# All but cpython3.12 run in a chroot that debootstrap makes below build/platforms; other processors run by qemu-user.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A platforms=( # suite, processor, Python, tests
    [debian13]="trixie amd64 python3 all"
    [cpython3.12]="- - 3.12.1-1.5.10 all"
    [cpython3.14]="forky amd64 python3 all"
    [cpython3.13t]="trixie amd64 3.13 most"
    [cpython3.14t]="forky amd64 3.14 most"
    [arm64]="trixie arm64 python3 core"
    [s390x]="forky s390x python3 core"
    [windows]="- - 3.12.1-1.5.10 compiles" # only the C code, by MinGW
    [macos]="- - - compiles" # only the syntax of the C code, by clang
    [wheel]="trixie amd64 python3 wheel" # what `make dist` has built, without a compiler
)
platform=${1:-}
if [ -z "${platforms[$platform]:-}" ]; then
    echo "PLATFORM must be one of: ${!platforms[*]}" >&2
    exit 2
fi
read -r suite processor python tests <<< "${platforms[$platform]}"
work=$PWD/build/platforms/$platform
status=0
root=$work/root
mkdir -p "$work"

mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1)
basic=gcc,libc6-dev,perl,ca-certificates,python3,python3-venv,python3-dev
building="dpkg-dev build-essential zlib1g-dev libffi-dev libssl-dev libsqlite3-dev libbz2-dev liblzma-dev"
# What has no wheels for s390x comes from Debian.
debian=$(echo python3-{numpy,ml-dtypes,pip,setuptools,gguf,xxhash,yaml} | tr ' ' ,)
needed="numpy ml_dtypes click rich kaitaistruct setuptools pytest>=8,<9.2 pytest-xdist hypothesis build jinja2 httpx fsspec xxhash pyyaml pyarrow"
core="tests/schema tests/reading tests/dequantize tests/quantize tests/writing tests/test_*.py"
most="$core tests/sources tests/models tests/rules tests/memory tests/explanation tests/gguf_py"

unpack() { # FOLDER: the files of the last commit
    rm -rf "$1"
    mkdir -p "$1"
    git archive HEAD | tar --extract --directory "$1"
}

make_root() {
    if [ -e "$work/complete" ]; then return; fi
    command -v debootstrap > /dev/null || apt-get -qq install -y debootstrap > /dev/null
    packages=$basic
    if [ "$tests" = wheel ]; then packages=ca-certificates,python3,python3-venv; fi
    if [ "$processor" != "$(dpkg --print-architecture)" ]; then
        apt-get -qq install -y qemu-user-static binfmt-support > /dev/null
        mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
        update-binfmts --enable
        if [ "$processor" = s390x ]; then packages=$basic,$debian; fi
    fi
    rm -rf "$root"
    # debootstrap does not know suites that are newer than itself; their script is that of sid
    debootstrap --arch="$processor" --variant=minbase --include="$packages" "$suite" "$root" \
        "$mirror" /usr/share/debootstrap/scripts/sid > "$work/debootstrap.log"
    cp --dereference /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
    touch "$work/complete"
}

inside() { # COMMANDS: run them in the chroot
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    unshare --mount bash -ec "
        mount --rbind /proc '$root/proc'
        mount --rbind /dev '$root/dev'
        cd '$root'
        exec chroot . bash -euo pipefail -c \"\$0\"" "export HOME=/root LC_ALL=C.UTF-8; $1"
}

build_python() { # without the GIL
    if [ -e "$root/opt/python/bin/python${python}t" ]; then return; fi
    inside "
        echo 'deb-src $mirror $suite main' > /etc/apt/sources.list.d/source.list
        apt-get -qq -o Acquire::Check-Valid-Until=false update
        DEBIAN_FRONTEND=noninteractive apt-get -qq install -y $building > /dev/null
        mkdir -p /build && cd /build && apt-get -qq source python$python > /dev/null && cd python$python-*/
        ./configure --disable-gil --prefix=/opt/python --without-ensurepip > /build/log
        make -j$(nproc) >> /build/log 2>&1 && make altinstall >> /build/log 2>&1
        test -x /opt/python/bin/python${python}t"
}

get_python() { # SYSTEM: unpack CPython as a library for Java, and set `home`
    mvn -q dependency:get -Dartifact="org.bytedeco:cpython:$python:jar:$1" -Dtransitive=false
    python3 -m zipfile -e "$HOME/.m2/repository/org/bytedeco/cpython/$python/cpython-$python-$1.jar" "$work"
    home=$work/org/bytedeco/cpython/$1
}

compile() { # COMPILER ARGUMENTS: what is common to all systems
    "$@" -std=c11 -Wall -Wextra -Werror -DPy_LIMITED_API=0x030B0000 -Igenerated/c -Isrc/kaitai_gguf
}

if [ "$platform" = windows ]; then
    command -v x86_64-w64-mingw32-gcc > /dev/null || apt-get -qq install -y gcc-mingw-w64-x86-64 > /dev/null
    get_python windows-x86_64
    for each in _scanner _kernels; do
        compile x86_64-w64-mingw32-gcc -shared -O3 -ffp-contract=off "-I$home/include" "src/kaitai_gguf/$each.c" \
            -o "$work/$each.pyd" "$home/libs/python3.lib"
    done
    echo "compiled: $(ls "$work"/*.pyd | xargs -n 1 basename | xargs)" | tee "$work/log"
elif [ "$platform" = macos ]; then
    command -v clang > /dev/null || apt-get -qq install -y clang > /dev/null
    for each in _scanner _kernels; do
        compile clang -fsyntax-only "-I$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')" \
            "src/kaitai_gguf/$each.c"
    done
    echo "checked: the syntax of _scanner.c and _kernels.c" | tee "$work/log"
elif [ "$suite" = - ]; then
    get_python linux-x86_64
    chmod +x "$home/bin/python3.12"
    unpack "$work/src"
    export LD_LIBRARY_PATH=$home/lib:$home
    make -C "$work/src" test PYTHON="$home/bin/python3.12" 2>&1 | tee "$work/log" || status=$?
elif [ "$tests" = wheel ]; then
    make_root
    make dist > /dev/null
    unpack "$root/src"
    cp dist/*.whl "$root/src"
    inside "
        cd /src
        rm -rf /venv src
        if command -v cc gcc; then exit 1; fi
        python3 -m venv /venv
        /venv/bin/python -m pip install -q ./*.whl
        /venv/bin/kaitai-gguf info examples/sample.gguf
        /venv/bin/kaitai-gguf --version
        /venv/bin/python -X dev tests/installed.py examples/sample.gguf" 2>&1 | tee "$work/log"
else
    make_root
    unpack "$root/src"
    options= prepare=true install="/venv/bin/python -m pip install -q .[all] --group dev"
    if [ "$tests" != all ]; then
        install="
            for each in $(printf "'%s' " $needed); do
                /venv/bin/python -m pip install -q --only-binary=:all: --no-binary=pyyaml \"\$each\" || echo \"left out: \$each\"
            done
            /venv/bin/python -m pip install -q --no-deps gguf==0.19.0 requests tqdm
            /venv/bin/python -m pip install -q --no-deps --no-build-isolation ."
    fi
    case $python in
    3.*)
        build_python
        # Debian's site module looks in a folder without the t. There is no sentencepiece, which gguf imports.
        prepare="ln -s python${python}t /venv/lib/python$python; echo 'class SentencePieceProcessor: ...' > sentencepiece.py"
        python=/opt/python/bin/python${python}t
        ;;
    esac
    if [ "$processor" = s390x ]; then
        options=--system-site-packages
        # The fstat() of qemu-user has no nanoseconds.
        prepare="echo 'import os; os.fstat = lambda file: os.stat(f\"/proc/self/fd/{file}\")' > fstat.pth"
    fi
    selected=tests
    if [ "$tests" != all ]; then selected=${!tests}; fi
    inside "
        cd /src
        rm -rf /venv
        $python -m venv --without-pip $options /venv
        (cd /venv/lib/python3*/site-packages; $prepare)
        python3 -m venv /pip
        /pip/bin/pip --python /venv/bin/python install -q pip
        $install
        /venv/bin/python -m pytest -n $(nproc) --dist loadgroup -p no:cacheprovider $selected" 2>&1 | tee "$work/log" || status=$?
fi
echo "$platform, $(date -u +%F), $(git rev-parse --short HEAD): $(tail -n 1 "$work/log")"
exit "$status"
