#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# A private Prosody on the loopback network, for tests and the demo; options and commands: supervision.sh, and
#   --archive files|sqlite  how archives are kept: of a file of its own Prosody reads all for each page (files)
#   --unnamed-answers       what the server itself answers has no `from`, as jabberd2's answers have none
#   --registration-questions  whoever makes an account is asked for an e-mail address and a plan, too
#   --faulty-xml            messages with the body `unbound` or `comment` get something into them that makes their XML wrong
# Features that --without takes: the names of Prosody's modules, as listed below, and `rooms`.
. "$(dirname "$0")/supervision.sh"

# Prosody refuses to run as root.
server_user=prosody

# Nothing here limits a client, so that a test may be as fast as it can.
modules=(
  roster saslauth tls disco carbons pep private blocklist vcard4 vcard_legacy version uptime time ping mam
  csi_simple smacks bookmarks lastactivity offline
)

archive=files
unnamed_answers=false
faulty_xml=false
registration_questions=false

server_option() {
  case $1 in
    --archive) archive=$2 ;;
    --unnamed-answers) unnamed_answers=true ;;
    --faulty-xml) faulty_xml=true ;;
    --registration-questions) registration_questions=true ;;
    *) return 1 ;;
  esac
}

# A module for all hosts that has a domain's own answers go out without `from`.
write_unnamed_answers() {
  cat >"$server_directory/modules/mod_unnamed_answers.lua" <<'LUA'
module:set_global();
local filters = require "util.filters";
local stanzas = require "util.stanza";
local function unnamed(stanza, session)
  local attributes = stanza.attr;
  if stanza.name ~= "iq" or attributes.from ~= session.host then return stanza; end
  if attributes.type ~= "result" and attributes.type ~= "error" then return stanza; end
  local copy = stanzas.clone(stanza);
  copy.attr.from = nil;
  return copy;
end
filters.add_filter_hook(function (session) filters.add_filter(session, "stanzas/out", unnamed); end);
LUA
}

# A module for all hosts that has messages with certain bodies carry what no XMPP server may send.
write_faulty_xml() {
  cat >"$server_directory/modules/mod_faulty_xml.lua" <<'LUA'
local faults = { unbound = "p:x", comment = "!--x--" };
local function spoil(event)
  local name = faults[event.stanza:get_child_text("body") or ""];
  if name then event.stanza:tag(name):up(); end
end
module:hook("message/bare", spoil, 1000);
module:hook("message/full", spoil, 1000);
LUA
}

lua_list() {
  local word
  for word in "$@"; do printf '"%s"; ' "$word"; done
}

write_configuration() {
  local module enabled=() protocol domain
  for module in "${modules[@]}"; do
    if has "$module"; then enabled+=("$module"); fi
  done
  mkdir "$server_directory/modules"
  [ "$registration" = false ] || enabled+=(register_ibr user_account_management)
  if [ "$unnamed_answers" = true ]; then
    enabled+=(unnamed_answers)
    write_unnamed_answers
  fi
  if [ "$faulty_xml" = true ]; then
    enabled+=(faulty_xml)
    write_faulty_xml
  fi
  case $tls in
    any) protocol=tlsv1_2+ ;;
    1.2) protocol=tlsv1_2 ;;
    1.3) protocol=tlsv1_3 ;;
  esac
  case $archive in files | sqlite) ;; *) usage_error "--archive is files or sqlite, not '$archive'" ;; esac
  case ${scram:=SHA-1} in SHA-1 | SHA-256 | plain) ;; *) usage_error "Prosody knows no --scram $scram" ;; esac
  {
    cat <<LUA
data_path = "$server_directory/data"
certificates = "$server_directory"
plugin_paths = { "$server_directory/modules" }
log = { { levels = { min = "$log_level" }, to = "file", filename = "$server_directory/prosody.log" } }
interfaces = { "$address" }
c2s_ports = { $port }
c2s_direct_tls_ports = { $direct_port }
component_interfaces = { "$address" }
component_ports = { $component_port }
modules_enabled = { $(lua_list "${enabled[@]}")}
modules_disabled = { "s2s"; "s2s_bidi" }
c2s_require_encryption = true
allow_registration = $registration
disable_sasl_mechanisms = { $(lua_list "${disabled_mechanisms[@]}")}
archive_expires_after = "never"
ssl = {
  certificate = "$server_directory/server.pem";
  key = "$server_directory/server.key";
  protocol = "$protocol";
}
LUA
    if [ "$registration_questions" = true ]; then
      cat <<LUA
registration_title = "Join the test"
additional_registration_fields = { "email+"; {
  name = "plan"; type = "list-single"; label = "Plan"; value = "free";
  options = { { label = "Free of charge"; value = "free" }; { label = "Paid"; value = "paid" } };
} }
LUA
    fi
    if [ "$archive" = sqlite ]; then
      echo 'storage = { archive = "sql" }'
      echo "sql = { driver = \"SQLite3\"; database = \"$server_directory/data/archive.sqlite\" }"
    fi
    if [ "$scram" = plain ]; then
      echo 'authentication = "internal_plain"'
    else
      echo 'authentication = "internal_hashed"'
      echo "password_hash = \"$scram\""
    fi
    for domain in "${domains[@]}"; do echo "VirtualHost \"$domain\""; done
    if has rooms; then
      for domain in "${domains[@]}"; do
        echo "Component \"rooms.$domain\" \"muc\""
        echo 'modules_enabled = { "muc_mam" }'
      done
    fi
    if [ -n "$component" ]; then
      printf 'Component "%s"\ncomponent_secret = "%s"\n' "$component" "$component_secret"
    fi
  } >"$server_directory/prosody.cfg.lua"
  mkdir "$server_directory/data"
}

server_command() { command=(prosody -F --config "$server_directory/prosody.cfg.lua"); }

server_answers() { true; }

# encoded TEXT: as Prosody names its files, every octet but ASCII letters and digits as %xx
encoded() {
  local LC_ALL=C text=$1 i c
  for ((i = 0; i < ${#text}; i++)); do
    c=${text:i:1}
    case $c in
      [a-zA-Z0-9]) printf '%s' "$c" ;;
      *) printf '%%%02x' "'$c" ;;
    esac
  done
}

# store STORE USER DOMAIN: standard input becomes that user's entry in the store
store() {
  local folder owner
  folder=$server_directory/data/$(encoded "$3")/$1
  owner=$(stat -c %u:%g "$server_directory")
  mkdir -p "$folder"
  cat >"$folder/$(encoded "$2").dat"
  chown "$owner" "${folder%/*}" "$folder" "$folder/$(encoded "$2").dat"
}

lua_string() {
  local text=${1//\\/\\\\}
  printf '"%s"' "${text//\"/\\\"}"
}

# Prosody turns a plain password into the hash of its configuration when the account is first used.
create_account() { printf 'return { ["password"] = %s };\n' "$(lua_string "$3")" | store accounts "$1" "$2"; }

make_friends() {
  local template='return { [false] = { ["version"] = 1 }; [%s] = { ["subscription"] = "both"; ["groups"] = {} } };\n'
  # shellcheck disable=SC2059 # the template is ours
  printf "$template" "$(lua_string "$2@$3")" | store roster "$1" "$3"
  # shellcheck disable=SC2059
  printf "$template" "$(lua_string "$1@$3")" | store roster "$2" "$3"
}

supervise "$@"
