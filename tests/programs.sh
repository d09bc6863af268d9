#!/usr/bin/env bash
# The programs that tests use beside Python: installs those that are missing where it may, or says what to install.
set -euo pipefail

missing=()
need() { # PACKAGE WHAT-FOR COMMAND...: any of the commands will do
    local package=$1 what=$2 name
    shift 2
    for name in "$@"; do
        if command -v "$name" >/dev/null || compgen -G "$name" >/dev/null; then return; fi
    done
    missing+=("$package")
    echo "== missing: $package, for $what" >&2
}
need chromium "the pages in a real browser" chromium chromium-browser google-chrome google-chrome-stable \
    "${CHROMIUM:-chromium}"
need nodejs "the JavaScript bot" node
need openssl "TLS" openssl
need postgresql "the store on PostgreSQL" initdb '/usr/lib/postgresql/*/bin/initdb'

install() {
    apt-get update -qq &&
        DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends "${missing[@]}" fonts-dejavu-core >/dev/null
}
if ((${#missing[@]} == 0)); then exit; fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "== installing ${missing[*]}" >&2
    if install; then exit; fi
fi
echo "== their tests are skipped; on Debian: sudo apt install ${missing[*]}" >&2
