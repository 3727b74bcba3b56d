#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# A private jabberd2 on the loopback network, for tests; options and commands: supervision.sh. It offers PLAIN only, counts
# no stanzas and has no archive. Of the options those of TLS versions, SCRAM, mechanisms, features, components and friends
# mean nothing to it, and of the commands `friends`.
# Three programs make it up: the router, the session manager (sm) and the connector for clients (c2s); s2s is not run.
. "$(dirname "$0")/supervision.sh"

# As Debian's package calls it.
server_user=jabber

# chain ID MODULE...: those of Debian's own configuration, in its order
chain() {
  local id=$1 module
  shift
  printf '    <chain id="%s">' "$id"
  for module in "$@"; do printf '<module>%s</module>' "$module"; done
  echo '</chain>'
}

# What every program needs to find the router.
router_access() {
  cat <<XML
  <router>
    <ip>$address</ip><port>$api_port</port><user>jabberd</user><pass>$router_secret</pass>
    <retry><init>-1</init><lost>-1</lost><sleep>1</sleep></retry>
  </router>
XML
}

write_log() { echo "  <log type='file'><file>$server_directory/$1.log</file></log>"; }

# Where the two programs keep who has an account; all else is kept by Berkeley DB, which needs no tables made beforehand.
write_sqlite() {
  echo "    <sqlite><dbname>$server_directory/data/accounts.sqlite</dbname><busy-timeout>10000</busy-timeout></sqlite>"
}

write_router() {
  cat <<XML
<router>
  <id>router</id>
$(write_log router)
  <local><ip>$address</ip><port>$api_port</port><users>$server_directory/router-users.xml</users></local>
  <io><max_fds>1024</max_fds></io>
  <aci><acl type='all'><user>jabberd</user></acl></aci>
</router>
XML
}

write_sm() {
  local domain
  echo '<sm>'
  echo '  <id>sm</id>'
  router_access
  write_log sm
  echo '  <local>'
  for domain in "${domains[@]}"; do echo "    <id>$domain</id>"; done
  cat <<XML
  </local>
  <storage>
    <path>$modules</path>
    <driver>db</driver>
    <driver type='active'>sqlite</driver>
    <db><path>$server_directory/data</path></db>
$(write_sqlite)
  </storage>
  <modules>
    <path>$modules</path>
XML
  chain sess-start status
  chain sess-end status iq-last
  chain in-sess validate status privacy roster vacation iq-vcard iq-ping iq-private disco amp offline announce presence deliver
  chain out-sess
  chain in-router session validate presence privacy
  chain out-router privacy
  chain pkt-sm iq-last iq-ping iq-time iq-version amp disco announce help echo status presence
  chain pkt-user roster presence disco iq-vcard amp deliver vacation offline iq-last
  chain pkt-router session disco
  chain user-load active roster roster-publish privacy vacation
  chain user-create active template-roster
  chain user-delete active announce offline privacy roster vacation status iq-last iq-private iq-vcard
  chain disco-extend iq-version help
  cat <<XML
  </modules>
  <discovery><identity><category>server</category><type>im</type><name>jabberd2</name></identity></discovery>
</sm>
XML
}

write_c2s() {
  local domain registers=
  [ "$registration" = false ] || registers="register-enable='yes'"
  echo '<c2s>'
  echo '  <id>c2s</id>'
  router_access
  write_log c2s
  echo '  <local>'
  for domain in "${domains[@]}"; do
    echo "    <id realm='$domain' pemfile='$server_directory/server.pem' require-starttls='yes' $registers>$domain</id>"
  done
  cat <<XML
    <ip>$address</ip><port>$port</port><ssl-port>$direct_port</ssl-port>
    <pemfile>$server_directory/server.pem</pemfile>
  </local>
  <io><max_fds>1024</max_fds><limits><stanzasize>0</stanzasize></limits></io>
  <authreg>
    <path>$modules</path>
    <module>sqlite</module>
    <mechanisms><sasl/></mechanisms>
    <ssl-mechanisms><sasl><plain/></sasl></ssl-mechanisms>
$(write_sqlite)
  </authreg>
</c2s>
XML
}

# As db-setup.sqlite of Debian's package has them.
make_tables() {
  /usr/bin/python3 -B - "$server_directory/data/accounts.sqlite" <<'PYTHON'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as database:
    # Nobody who reads waits for the one who writes.
    database.execute("PRAGMA journal_mode = WAL")
    database.execute('CREATE TABLE "authreg" ("username" TEXT NOT NULL, "realm" TEXT NOT NULL, "password" TEXT)')
    database.execute(
        'CREATE TABLE "active" ("collection-owner" TEXT NOT NULL, "object-sequence" INTEGER PRIMARY KEY,'
        ' "time" INTEGER NOT NULL DEFAULT 0)')
PYTHON
}

create_account() {
  /usr/bin/python3 -B - "$server_directory/data/accounts.sqlite" "$@" <<'PYTHON'
import sqlite3, sys, time
path, user, domain, password = sys.argv[1:]
with sqlite3.connect(path, timeout=10) as database:
    database.execute('INSERT INTO "authreg" VALUES (?, ?, ?)', (user, domain, password))
    database.execute(
        'INSERT INTO "active" ("collection-owner", "time") VALUES (?, ?)', (f"{user}@{domain}", int(time.time())))
PYTHON
}

write_configuration() {
  modules=$(compgen -G '/usr/lib/*/jabberd2/authreg_sqlite.so' | head -n 1) || fail "jabberd2 is not installed"
  modules=${modules%/*}
  router_secret=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  mkdir "$server_directory/data"
  make_tables
  cat "$server_directory/server.key" >>"$server_directory/server.pem"
  echo "<users><user><name>jabberd</name><secret>$router_secret</secret></user></users>" \
    >"$server_directory/router-users.xml"
  write_router >"$server_directory/router.xml"
  write_sm >"$server_directory/sm.xml"
  write_c2s >"$server_directory/c2s.xml"
}

# The three end together, whichever ends first, and with whoever started them.
server_command() {
  # What they say of their last start is not said of this one.
  rm -f "$server_directory"/*.log
  # shellcheck disable=SC2016 # expanded by the shell that runs it
  command=(bash -c '
    trap "exit 0" TERM
    trap "kill -KILL \$(jobs -p) 2>/dev/null; wait" EXIT
    for program in router sm c2s; do
      setpriv --pdeathsig KILL jabberd2-$program -c "$0/$program.xml" &
    done
    echo $(jobs -p) >"$0/processes"
    wait -n' "$server_directory")
}

# The shell that waits for the three answers nobody.
server_processes() { cat "$server_directory/processes"; }

# The c2s opens its ports once it has the router; the session manager says that it has it in its log.
server_answers() {
  grep -qs 'ready for sessions' "$server_directory/sm.log" && grep -qs 'ready for connections' "$server_directory/c2s.log"
}

make_friends() { return 64; }

supervise "$@"
