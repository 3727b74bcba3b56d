#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# What happens in a tree, by root, in mount and process namespaces of its own (machines.sh makes them):
#   tree.sh make-base TREE PROVISIONS           makes a minimal Debian 12 with make and git
#   tree.sh run TREE PROVISIONS KIND COMMAND    makes that a machine of the kind (systemd-root, plain-user, ...) and runs
#                                               README.md's command in it as its user; ends with the command's exit code
# Where the command ends well but the README is not right about it, the exit code is 2: demo's lines are others, or a
# process is left running, or something would start with the machine.
set -euo pipefail
exec </dev/null

action=$1 tree=$2 provisions=$3
here=$(cd "$(dirname "$0")" && pwd)

# Whoever waits longer has hung.
readonly longest=3h

# enter: the tree becomes the root directory of this process, with the file systems that a running machine has
enter() {
  mount --bind "$tree" "$tree"
  mount -t proc -o nosuid,nodev,noexec proc "$tree/proc"
  mount -t sysfs -o ro,nosuid,nodev,noexec sysfs "$tree/sys"
  mount -t tmpfs -o mode=755,nosuid,nodev tmpfs "$tree/run"
  mkdir -m 1777 "$tree/run/lock"
  mount -t tmpfs -o mode=755,nosuid tmpfs "$tree/dev"
  mkdir "$tree/dev/pts" "$tree/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts "$tree/dev/pts"
  mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$tree/dev/shm"
  local name number
  for name in null:3 zero:5 full:7 random:8 urandom:9; do
    number=${name#*:} name=${name%:*}
    mknod -m 666 "$tree/dev/$name" c 1 "$number"
  done
  mknod -m 666 "$tree/dev/tty" c 5 0
  ln -s pts/ptmx "$tree/dev/ptmx"
  ln -s /proc/self/fd "$tree/dev/fd"
  for name in stdin:0 stdout:1 stderr:2; do ln -s "/proc/self/fd/${name#*:}" "$tree/dev/${name%:*}"; done
  local source target
  while IFS=$'\t' read -r source target; do
    mkdir -p "$tree$target"
    mount --bind "$source" "$tree$target"
    mount -o remount,bind,ro,nosuid,nodev "$tree$target"
  done <"$provisions/mounts"
  hostname fresh
  # Not chroot: a program that enters another one's mount namespace (nsenter) would find this machine's root there.
  mkdir -p "$tree/.outside"
  cd "$tree"
  pivot_root . .outside
  cd /
  umount -l /.outside
  rmdir /.outside
  hash -r
  export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
}

# install NAME...: by the one who sets the machine up; nothing is started
install() {
  printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
  chmod 755 /usr/sbin/policy-rc.d
  DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends install "$@"
  rm /usr/sbin/policy-rc.d
}

make_base() {
  local mirror include=()
  mirror=$(sed -nE 's/^deb ([^ ]+) bookworm main$/\1/p' "$provisions/sources.list" | head -n 1)
  # Debian has no need for it where all is fetched by http and signed.
  if grep -q '^deb https:' "$provisions/sources.list"; then include=(--include=ca-certificates); fi
  debootstrap --variant=minbase "${include[@]}" bookworm "$tree" "$mirror"
  cp "$provisions/sources.list" "$tree/etc/apt/sources.list"
  cp "$provisions/apt.conf" "$tree/etc/apt/apt.conf.d/90reach"
  cp "$provisions/resolv.conf" "$tree/etc/resolv.conf"
  mkdir -p "$tree/usr/local/share/ca-certificates"
  cp -r "$provisions/certificates/." "$tree/usr/local/share/ca-certificates/"
  echo fresh >"$tree/etc/hostname"
  printf '%s\n' '127.0.0.1 localhost' '127.0.1.1 fresh' '::1 localhost ip6-localhost ip6-loopback' >"$tree/etc/hosts"
  enter
  if command -v update-ca-certificates >/dev/null; then update-ca-certificates; fi
  apt-get -qq update
  install make git
}

# Links by which something starts with the machine.
starting() { find /etc/systemd/system /etc/rc[2-5].d \( -path '*.wants/*' -o -name 'S*' \) -print 2>/dev/null | sort; }

# Processes besides this script, which is the first in its namespace.
running() {
  local process line
  for process in /proc/[0-9]*; do
    case ${process#/proc/} in 1 | "$BASHPID") continue ;; esac
    { line=$(tr '\0' ' ' <"$process/cmdline"); } 2>/dev/null || continue
    echo "${process#/proc/} $line"
  done
}

run() {
  local kind=$1 command=$2 user=root home words expected= code=0
  cp "$provisions/gitconfig" "$tree/etc/gitconfig"
  cp -a "$provisions/clone" "$tree/clone"
  cp "$provisions/profile" "$tree/profile"
  enter
  if [[ $kind = systemd-* ]]; then install systemd systemd-sysv dbus; fi
  if [[ $kind = *-user ]]; then
    install sudo
    user=newcomer
    useradd --create-home --shell /bin/bash "$user"
    echo "$user ALL=(ALL) NOPASSWD: ALL" >"/etc/sudoers.d/$user"
  fi
  # As a container's image has it.
  if [[ $kind = plain-* ]]; then rm -rf /var/lib/apt/lists/*; fi
  home=$(getent passwd "$user" | cut -d : -f 6)
  mv /clone "$home/jackdaw"
  chown -R "$user:" "$home/jackdaw"
  cat /profile >>"$home/.profile"
  rm /profile

  words="make $command"
  if [ "$command" = demo ]; then
    # The README has the line to type, and below it what comes.
    words=$(sed -nE 's/^    \$ (.*make -s demo)$/\1/p' "$home/jackdaw/README.md")
    expected=$(sed -nE '/^    \$ .*make -s demo$/,/^$/ { /^    \$|^$/d; s/^    //p }' "$home/jackdaw/README.md")
    [ -n "$words" ] && [ -n "$expected" ] || { echo "README.md has no line that runs 'make -s demo'"; return 2; }
  fi
  starting >/root/starting
  echo "$user@$kind:~/jackdaw\$ $words"
  # Not through a pipe, which whoever stays behind would keep open.
  local typed=(timeout --kill-after=60 "$longest" runuser -l "$user" -c "cd jackdaw && $words")
  if [ "$command" = demo ]; then
    "${typed[@]}" >/root/printed || code=$?
    cat /root/printed
  else
    "${typed[@]}" || code=$?
  fi
  [ "$code" = 0 ] || return "$code"
  verify "$expected"
}

# verify EXPECTED: is the README right about what it says besides?
verify() {
  local wrong=0 new left
  if [ -n "$1" ] && ! diff <(without_times <<<"$1") <(without_times </root/printed) >/root/difference; then
    echo "README.md has other lines (<) than came (>):"
    cat /root/difference
    wrong=2
  fi
  new=$(starting | comm -13 /root/starting -)
  if [ -n "$new" ]; then
    printf 'This would start with the machine now:\n%s\n' "$new"
    wrong=2
  fi
  left=$(running)
  if [ -n "$left" ]; then
    printf 'This is left running:\n%s\n' "$left"
    wrong=2
  fi
  return "$wrong"
}

without_times() { sed -E 's/^[0-9]{2}:[0-9]{2} /hh:mm /'; }

case $action in
  make-base) make_base ;;
  run) run "$4" "$5" ;;
esac
