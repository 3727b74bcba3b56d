#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# provisions.sh DIRECTORY: collects what a new tree takes from this machine, as the user whose Swift and git it is:
#   mounts        lines "SOURCE<tab>TARGET": directories that the tree sees, read-only
#   profile       what the user's ~/.profile gets: Swift in PATH, and this machine's proxies
#   gitconfig     by which addresses git reaches the packages
#   sources.list  where Debian is, and in apt.conf how to reach it
#   certificates/ authorities that this machine has besides Debian's
set -euo pipefail
exec </dev/null

directory=$1
mkdir -p "$directory/certificates"
cd "$directory"

fail() {
  echo "fresh: $*" >&2
  exit 1
}

# Swift may be a link, or a program that chooses one: where its own libraries are says which tree it is.
info=$(swift -print-target-info)
swift=$(sed -nE 's#.*"runtimeResourcePath" *: *"(.*)/usr/lib/swift".*#\1#p' <<<"$info")
[ -n "$swift" ] || fail "Swift is no tree of its own, with usr/bin in it: $(command -v swift)"
printf '%s\t/opt/swift\n' "$swift" >mounts

# A real user's lines, as swift.org tells to write them.
printf '%s\n' 'export PATH=/opt/swift/usr/bin:$PATH' >profile
for name in http_proxy https_proxy ftp_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
  if [ -n "${!name:-}" ]; then printf 'export %s=%q\n' "$name" "${!name}" >>profile; fi
done

# url.<base>.insteadOf may send git to directories of this machine.
: >gitconfig
while IFS= read -r -d '' entry; do
  key=${entry%%$'\n'*} value=${entry#*$'\n'}
  git config --file gitconfig --add "$key" "$value"
  case $key in
    url.*)
      base=${key#url.}
      base=${base%.*}
      base=${base#file://}
      if [[ $base = /* ]] && [ -d "$base" ]; then
        printf '%s\t%s\n' "${base%/}" "${base%/}" >>mounts
      fi
      ;;
  esac
done < <(git config -z --get-regexp '^url\..*\.insteadof$|^http\.(.*\.)?proxy$')
sort -u -o mounts mounts
# They belong to somebody else than the user in the tree, and Debian 12's git takes no pattern here.
if [ "$(wc -l <mounts)" -gt 1 ]; then git config --file gitconfig safe.directory '*'; fi

# Where this machine has Debian 12 from, if it is one; it may lack the lists that tell.
apt-get indextargets 'Created-By: Packages' 'Origin: Debian' --format '$(CODENAME) $(REPO_URI) $(RELEASE) $(COMPONENT)' |
  sed -nE 's/^bookworm(-updates|-security)? (.*)/deb \2/p' | sort -u >sources.list || true
if ! grep -q ' bookworm main$' sources.list; then
  printf 'deb http://deb.debian.org/%s main\n' 'debian bookworm' 'debian bookworm-updates' \
    'debian-security bookworm-security' >sources.list
fi
# How apt reaches it; proxies of the environment are lost on the way through sudo.
apt-config dump | grep -E '^Acquire::(http|https|Check-Valid-Until|Check-Date|Retries)\b.*"[^"]' >apt.conf || true
for scheme in http https; do
  name=${scheme}_proxy
  if [ -n "${!name:-}" ]; then printf 'Acquire::%s::Proxy "%s";\n' "$scheme" "${!name}" >>apt.conf; fi
done

cp -L /etc/resolv.conf resolv.conf
find /usr/local/share/ca-certificates -name '*.crt' -exec cp -L {} certificates/ \; 2>/dev/null || true
