#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# A private ejabberd on the loopback network, for tests; options and commands: supervision.sh.
# Features that --without takes: smacks, carbons, csi, mam, pep, blocking, vcard, ping, private, offline, rooms.
# It is run by `erl` directly: so there is nothing that outlives its one process. Erlang's distribution is off, unless
# the server is a node of a cluster: the nodes then find each other at one port of their addresses, without epmd.
#   --clustered            others may join
#   --join DIRECTORY       it joins the server whose directory that is (which has to run), with its domains, accounts,
#                          rosters and messages, and has its certificate
#   --registration-questions  whoever makes an account has to solve a CAPTCHA
. "$(dirname "$0")/supervision.sh"

server_user=ejabberd

clustered=false
joined=
registration_questions=false

server_option() {
  case $1 in
    --clustered) clustered=true ;;
    --registration-questions) registration_questions=true ;;
    --join)
      clustered=true joined=$2
      [ -r "$joined/server/node_port" ] || usage_error "'$joined' is no directory of a server that others may join"
      node_port=$(<"$joined/server/node_port")
      ;;
    *) return 1 ;;
  esac
}

# Whoever joins needs the cookie.
write_node() {
  local cookie
  if [ -n "$joined" ]; then
    cookie=$(<"$joined/server/cookie")
    cp "$joined/ca.pem" "$directory/"
    cp "$joined/server/server.pem" "$joined/server/server.key" "$server_directory/"
  else
    cookie=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  fi
  echo "$cookie" >"$server_directory/cookie"
  echo "ejabberd@$address" >"$server_directory/node"
  echo "$node_port" >"$server_directory/node_port"
}

# yaml_list WORD...
yaml_list() {
  local word list=
  for word in "$@"; do list+="\"$word\", "; done
  printf '[%s]' "${list%, }"
}

write_configuration() {
  local protocol=(no_sslv3 no_tlsv1 no_tlsv1_1) password_format=scram hash=sha
  case $tls in
    1.2) protocol+=(no_tlsv1_3) ;;
    1.3) protocol+=(no_tlsv1_2) ;;
  esac
  # Kept plain, a password serves SCRAM with every hash.
  case ${scram:=plain} in
    plain) password_format=plain ;;
    SHA-1) hash=sha ;;
    SHA-256) hash=sha256 ;;
    SHA-512) hash=sha512 ;;
    *) usage_error "ejabberd knows no --scram $scram" ;;
  esac
  mkdir "$server_directory/data" "$server_directory/translations"
  # What ejabberd shows of a CAPTCHA is what this prints: the beginning of a picture is one to it.
  printf '#!/bin/sh\nprintf "\\211PNG\\r\\n\\032\\n"\n' >"$server_directory/captcha"
  chmod +x "$server_directory/captcha"
  [ "$clustered" = false ] || write_node
  [ -n "$joined" ] || cat "$server_directory/server.key" >>"$server_directory/server.pem"
  {
    cat <<YAML
hosts: $(yaml_list "${domains[@]}")
# As many registrations from one address as a test likes.
registration_timeout: infinity
loglevel: $log_level
captcha_cmd: "$server_directory/captcha"
captcha_url: "https://jackdaw.test/captcha"
captcha_limit: infinity
certfiles: ["$server_directory/server.pem"]
auth_method: mnesia
auth_password_format: $password_format
auth_scram_hash: $hash
disable_sasl_mechanisms: $(yaml_list digest-md5 X-OAUTH2 "${disabled_mechanisms[@]}")
listen:
  - port: $port
    ip: "$address"
    module: ejabberd_c2s
    starttls_required: true
    access: all
    shaper: none
    protocol_options: $(yaml_list "${protocol[@]}")
  - port: $direct_port
    ip: "$address"
    module: ejabberd_c2s
    tls: true
    access: all
    shaper: none
    protocol_options: $(yaml_list "${protocol[@]}")
  - port: $api_port
    ip: "$address"
    module: ejabberd_http
    request_handlers:
      /api: mod_http_api
YAML
    if [ -n "$component" ]; then
      cat <<YAML
  - port: $component_port
    ip: "$address"
    module: ejabberd_service
    hosts:
      "$component":
        password: "$component_secret"
YAML
    fi
    cat <<YAML
acl:
  loopback:
    ip: ["127.0.0.0/8"]
api_permissions:
  tests:
    who:
      access:
        allow: loopback
    what: ["*"]
access_rules:
  local:
    allow: all
shaper_rules:
  max_user_sessions: 1000
modules:
  mod_admin_extra: {}
  mod_adhoc: {}
  mod_caps: {}
  mod_disco: {}
  mod_http_api: {}
  mod_last: {}
  mod_roster:
    versioning: true
  mod_time: {}
  mod_version:
    show_os: false
YAML
    if [ "$registration" = true ]; then
      printf '  mod_register:\n    access: all\n    access_from: all\n    ip_access: all\n'
      printf '    captcha_protected: %s\n' "$registration_questions"
    fi
    ! has smacks || printf '  mod_stream_mgmt:\n    resend_on_timeout: if_offline\n'
    ! has carbons || echo '  mod_carboncopy: {}'
    ! has csi || echo '  mod_client_state: {}'
    ! has mam || printf '  mod_mam:\n    default: always\n'
    ! has blocking || printf '  mod_privacy: {}\n  mod_blocking: {}\n'
    ! has private || echo '  mod_private: {}'
    ! has ping || echo '  mod_ping: {}'
    ! has offline || printf '  mod_offline:\n    access_max_user_messages: 10000\n'
    ! has vcard || printf '  mod_vcard:\n    search: false\n  mod_vcard_xupdate: {}\n'
    ! has rooms || printf '  mod_muc:\n    hosts: ["rooms.@HOST@"]\n    default_room_options:\n      mam: true\n'
    if has pep; then
      printf '  mod_pubsub:\n    plugins: [flat, pep]\n    force_node_config:\n'
      printf '      "storage:bookmarks":\n        access_model: whitelist\n'
      printf '  mod_avatar: {}\n'
    fi
  } >"$server_directory/ejabberd.yml"
}

server_command() {
  local library
  library=$(compgen -G '/usr/lib/*/ejabberd-*/ebin/ejabberd.app' | head -n 1) || fail "ejabberd is not installed"
  library=${library%/ejabberd-*}
  command=(
    env "EJABBERD_CONFIG_PATH=$server_directory/ejabberd.yml" "EJABBERD_LOG_PATH=$server_directory/ejabberd.log"
    "ERL_LIBS=$library" "ERL_CRASH_DUMP=/dev/null" "HOME=$server_directory"
    # It would read all of its translations at each start, which is a quarter of what that takes. There are none here.
    "EJABBERD_MSGS_PATH=$server_directory/translations"
    # One scheduler that does not spin: a test machine has few processors, and the client is to have them.
    erl -noinput -boot no_dot_erlang +S 1:1 +SDio 1 +sbwt none +sbwtdcpu none +sbwtdio none
    -mnesia dir "\"$server_directory/data\""
  )
  local join=
  if [ "$clustered" = true ]; then
    command+=(
      -name "ejabberd@$address" -setcookie "$(<"$server_directory/cookie")" -start_epmd false
      -erl_epmd_port "$node_port" -kernel inet_dist_use_interface "{${address//./,}}"
    )
    # Once, and what `ejabberdctl join_cluster` does: it takes all tables over, and fails to start the server, which had not
    # run before; later starts find the others by themselves.
    if [ -n "$joined" ] && [ ! -e "$server_directory/data/schema.DAT" ]; then
      join="ejabberd_cluster_mnesia:join('$(<"$joined/server/node")'), "
    fi
  fi
  command+=(-eval "$join$(start_of_ejabberd)")
  if [ -n "$component" ]; then
    command+=(-eval "$(rosters_in_memory)")
    rm -f "$server_directory/rosters"
  fi
}

server_answers() { { [ -z "$component" ] || [ -e "$server_directory/rosters" ]; } && api status '{}'; }

# Erlang that starts ejabberd, and ends what that leaves running: it looks for each module of each application in all of Erlang's folders,
# which is half as much work as the start, and the first clients would wait for it.
start_of_ejabberd() {
  printf '%s' '{ok, _} = ejabberd:start(), ' \
    'Ours = fun({ejabberd, Name, _, _}) -> string:find(atom_to_list(Name), "check_app") =/= nomatch; (_) -> false end, ' \
    'End = fun(Process) -> case process_info(Process, current_stacktrace) of ' \
    '{_, Stack} -> lists:any(Ours, Stack) andalso exit(Process, kill); undefined -> false end end, ' \
    'lists:foreach(End, processes()), lists:foreach(End, processes()).'
}

# Erlang that has the table of rosters kept in memory as well as on the disk, with its index, and makes the file `rosters`. For
# floods of a component: as ejabberd makes it, on the disk alone, each change in a roster of 10,000 takes 40 ms, as all of the
# roster is read for it.
rosters_in_memory() {
  printf '%s' "ok = mnesia:wait_for_tables([roster], 60000), mnesia:del_table_index(roster, us)," \
    " mnesia:change_table_copy_type(roster, node(), disc_copies), mnesia:add_table_index(roster, us)," \
    " ok = file:write_file(\"$server_directory/rosters\", [])."
}

# api COMMAND JSON: asks the administration interface; false unless it answers 200. The answer is in `answer`.
api() {
  local status rest
  {
    exec 3<>"/dev/tcp/$address/$api_port" || return 1
    printf 'POST /api/%s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n%s' \
      "$1" "$address" "${#2}" $'Connection: close\r\n' "$2" >&3
    read -r _ status _ <&3 || status=none
    IFS= read -rd '' rest <&3 || true
    exec 3<&-
  } 2>/dev/null
  answer=${rest##*$'\n'}
  [ "$status" = 200 ]
}

# No session is left of any other node of the cluster: what is said to one now is kept, and not sent to a node that is gone.
server_is_alone() {
  api connected_users_info '{}' && [[ ${answer//ejabberd@"$address"/} != *ejabberd@* ]]
}

# quote TEXT: `quoted` becomes a string of JSON.
quote() {
  quoted=${1//\\/\\\\}
  quoted="\"${quoted//\"/\\\"}\""
}

create_account() {
  local LC_ALL=C quoted user host
  quote "$1"
  user=$quoted
  quote "$2"
  host=$quoted
  quote "$3"
  api register "{\"user\":$user,\"host\":$host,\"password\":$quoted}" ||
    { echo "$program: $1@$2 cannot be registered: $answer" >&2; return 1; }
}

make_friends() {
  local LC_ALL=C one other
  for one in "$1" "$2"; do
    other=$2
    [ "$one" = "$1" ] || other=$1
    api add_rosteritem "{\"localuser\":\"$one\",\"localhost\":\"$3\",\"user\":\"$other\",\"host\":\"$3\",
      \"nick\":\"\",\"group\":\"\",\"subs\":\"both\"}" || { echo "$program: $one: $answer" >&2; return 1; }
  done
}

supervise "$@"
