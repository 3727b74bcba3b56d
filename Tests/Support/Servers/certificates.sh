#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# Makes a certificate authority of its own and a server's certificate in DIRECTORY:
#   certificates.sh DIRECTORY KIND NAME...
# KIND is what is right or wrong with the certificate:
#   good           signed by ca.pem, valid now, for every NAME
#   expired        its time is over
#   not-yet-valid  its time begins tomorrow
#   wrong-name     for another name than any NAME
#   common-name    no alternative name at all: NAME in the subject alone (RFC 9525 6.3 forbids to accept it)
#   self-signed    its own authority
#   unknown-ca     signed by another authority than ca.pem
# Leaves ca.pem (what a client is told to trust), server.pem (with its chain) and server.key.
set -euo pipefail

directory=$1
kind=$2
shift 2
names=("$@")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

new_key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)

# make_authority FILE NAME: FILE.pem and FILE.key
make_authority() {
  openssl req -x509 "${new_key[@]}" -keyout "$1.key" -out "$1.pem" -days 30 -subj "/CN=$2" \
    -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign,cRLSign' 2>"$work/errors" ||
    { cat "$work/errors" >&2; exit 1; }
}

# moment OFFSET: a time as openssl writes it, OFFSET as date(1) reads it
moment() { date -u -d "$1" +%Y%m%d%H%M%SZ; }

make_authority "$work/ca" 'Jackdaw test authority'
cp "$work/ca.pem" "$directory/ca.pem"
issuer="$work/ca"
from=$(moment '-1 day')
to=$(moment '+30 days')
alternatives=$(printf 'DNS:%s,' "${names[@]}")
subject=${names[0]}

case $kind in
  good) ;;
  expired) from=$(moment '-10 days') to=$(moment '-1 day') ;;
  not-yet-valid) from=$(moment '+1 day') to=$(moment '+10 days') ;;
  wrong-name) alternatives='DNS:elsewhere.test,' subject=elsewhere.test ;;
  common-name) alternatives= ;;
  self-signed) ;;
  unknown-ca)
    make_authority "$work/other" 'Another authority'
    issuer="$work/other"
    ;;
  *)
    echo "certificates.sh: '$kind' is none of good, expired, not-yet-valid, wrong-name, common-name, self-signed, unknown-ca" >&2
    exit 64
    ;;
esac

extensions=$'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\n'
if [ -n "$alternatives" ]; then
  extensions+="subjectAltName=${alternatives%,}"$'\n'
fi

if [ "$kind" = self-signed ]; then
  openssl req -x509 "${new_key[@]}" -keyout "$work/server.key" -out "$work/server.pem" -days 30 \
    -subj "/CN=$subject" -addext "subjectAltName=${alternatives%,}" 2>"$work/errors" || { cat "$work/errors" >&2; exit 1; }
else
  # `openssl ca` is the one command of OpenSSL 3.0 that takes both ends of the validity.
  mkdir "$work/issued"
  : >"$work/index"
  cat >"$work/ca.cnf" <<CONF
[ca]
default_ca = issue
[issue]
database = $work/index
new_certs_dir = $work/issued
rand_serial = yes
default_md = sha256
policy = any
unique_subject = no
email_in_dn = no
[any]
commonName = supplied
CONF
  printf '%s' "$extensions" >"$work/extensions"
  {
    openssl req -new "${new_key[@]}" -keyout "$work/server.key" -out "$work/server.csr" -subj "/CN=$subject" &&
      openssl ca -batch -notext -config "$work/ca.cnf" -cert "$issuer.pem" -keyfile "$issuer.key" \
        -extfile "$work/extensions" -startdate "$from" -enddate "$to" -in "$work/server.csr" -out "$work/server.pem"
  } 2>"$work/errors" || { cat "$work/errors" >&2; exit 1; }
  cat "$issuer.pem" >>"$work/server.pem"
fi

cp "$work/server.pem" "$work/server.key" "$directory/"
