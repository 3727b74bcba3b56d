#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
#
# A private Prosody on the loopback network, for tests and the demo; options and commands: supervision.sh, and
#   --archive files|sqlite  how archives are kept: of a file of its own Prosody reads all for each page (files)
#   --unnamed-answers       what the server itself answers has no `from`, as jabberd2's answers have none
#   --registration-questions  whoever makes an account is asked for an e-mail address and a plan, too
#   --community             with modules of Debian's prosody-modules: SASL2, Bind 2, FAST, and moderated rooms (XEP-0388, 0386, 0484, 0425)
#   --upgrade HOW           as --community, and asks for keys for SCRAM-SHA-256 (XEP-0480), with which it offers that to the account from
#                           then on; HOW is `whole`, or what it does wrong: `weak` asks for too few iterations, `refuse` takes none,
#                           `leave` hangs up, `silent` says nothing more
#   --location HOST:PORT    streams that may be resumed are said to be resumed there (XEP-0198 5)
#   --tickets               TLS connections may be resumed
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
tickets=false
location=
registration_questions=false
community=false
upgrade=
community_modules=/usr/lib/prosody/modules

server_option() {
  case $1 in
    --archive) archive=$2 ;;
    --location) location=$2 ;;
    --unnamed-answers) unnamed_answers=true ;;
    --faulty-xml) faulty_xml=true ;;
    --tickets) tickets=true ;;
    --community) community=true ;;
    --upgrade) community=true upgrade=$2 ;;
    --registration-questions) registration_questions=true ;;
    *) return 1 ;;
  esac
}

# A module for all hosts that has a domain's own answers go out without `from`.
write_unnamed_answers() {
  cat >"$server_directory/modules/mod_unnamed_answers.lua" <<'LUA'
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

# A module for all hosts that says where streams are resumed, as the nodes of a cluster do.
write_location() {
  cat >"$server_directory/modules/mod_location.lua" <<LUA
require "util.filters".add_filter_hook(function (session)
  require "util.filters".add_filter(session, "stanzas/out", function (stanza)
    if stanza.name == "enabled" and stanza.attr.resume then stanza.attr.location = "$location"; end
    return stanza;
  end);
end);
LUA
}

# The modules for SASL2 ask a connection for what only later versions of Prosody give it. They bind resources and give tokens then; to
# have streams go on with the log-in takes a later mod_smacks, too.
write_community_bridge() {
  cat >"$server_directory/modules/mod_community_bridge.lua" <<'LUA'
local times = require "util.datetime";
local datetime = times.datetime;
function times.datetime(time) return datetime(time and math.floor(time)); end
local stanzas = require "util.stanza".stanza_mt;
function stanzas:get_child_attr(name, namespace, attribute)
  local child = self:get_child(name, namespace);
  return child and child.attr[attribute];
end
require "util.filters".add_filter_hook(function (session)
  function session:stream_attrs(_, client) self.client = client; end
end);
module:hook("stream-features", function (event)
  local conn = event.origin.conn;
  event.stream = event.stream or { from = event.origin.client };
  if not conn or conn.ssl_info or not conn:ssl() then return; end
  local socket, methods = conn:socket(), getmetatable(conn).__index;
  function methods:ssl_info() return self:socket():info(); end
  if socket.getpeerfinished then
    function methods:ssl_peerfinished() return self:socket():getpeerfinished(); end
  end
  if socket.exportkeyingmaterial then
    function methods:ssl_exportkeyingmaterial(...) return self:socket():exportkeyingmaterial(...); end
  end
end, 1000);
-- By then the module for plain SASL has put a handler of its own in the place of the one that knows the connection.
module:hook_tag("urn:xmpp:sasl:2", "authenticate", function (session, request)
  local handler, tokens = session.sasl_handler, session.fast_sasl_handler;
  if handler and tokens and request:get_child("fast", "urn:xmpp:fast:0") then
    handler.profile.cb, handler.userdata = tokens.profile.cb, tokens.userdata;
  end
end, 101);
LUA
}

# A module for the domains that asks those who log in for keys for SCRAM-SHA-256 (XEP-0480), which Debian's package has none for.
write_upgrade() {
  cat >"$server_directory/modules/mod_upgrade.lua" <<LUA
local mode = "$upgrade";
LUA
  cat >>"$server_directory/modules/mod_upgrade.lua" <<'LUA'
local stanzas, sasl, jid = require "util.stanza", require "util.sasl", require "util.jid";
local hashes, base64 = require "util.hashes", require "util.encodings".base64;
local random = require "util.random";
local sasl2, data = "urn:xmpp:sasl:2", "urn:xmpp:scram-upgrade:0";
local task, iterations = "UPGR-SCRAM-SHA-256", mode == "weak" and 100 or 10000;
local keys = module:open_store("upgrade");
local from_hex, to_hex = require "util.hex".from, require "util.hex".to;

-- Whoever has given them may log in by them.
local taught;
local function teach()
  local users = prosody.hosts[module.host].users;
  if users == taught then return; end
  local get_sasl_handler = users.get_sasl_handler;
  taught = users;
  function users.get_sasl_handler(session)
    local handler, user = get_sasl_handler(session), jid.node(session.client or "");
    if not user or not keys:get(user) then return handler; end
    local profile = {};
    for name, value in pairs(handler.profile) do profile[name] = value; end
    profile.mechanisms = nil;
    function profile.scram_sha_256(_, name)
      local kept = keys:get(name);
      if not kept then return; end
      return from_hex(kept.stored_key), from_hex(kept.server_key), kept.iterations, from_hex(kept.salt), true;
    end
    return sasl.new(module.host, profile);
  end
end
module:hook("stream-features", teach, 2000);
module:hook("stream-features", function (event)
  local offer = event.features:get_child("authentication", sasl2);
  if not offer or keys:get(jid.node(event.origin.client or "") or "") then return; end
  offer:add_direct_child(stanzas.stanza("upgrade", { xmlns = "urn:xmpp:sasl:upgrade:0" }):text(task));
end, -1);
module:hook_tag(sasl2, "authenticate", function (session, request)
  session.upgrade = request:get_child_text("upgrade", "urn:xmpp:sasl:upgrade:0") == task and "asked" or nil;
end, 200);
module:hook("sasl2/c2s/success", function (event)
  local session = event.session;
  if session.upgrade ~= "asked" then return; end
  session.upgrade = "offered";
  local continue = stanzas.stanza("continue", { xmlns = sasl2 });
  if event.message then continue:text_tag("additional-data", base64.encode(event.message)); end
  session.send(continue:tag("tasks"):text_tag("task", task));
  return true;
end, 1500);
module:hook_tag(sasl2, "next", function (session, request)
  if session.upgrade ~= "offered" or request.attr.task ~= task then return; end
  if mode == "leave" then session.conn:close(); end
  if mode == "leave" or mode == "silent" then return true; end
  session.upgrade = "begun";
  session.upgrade_salt = random.bytes(16);
  session.send(stanzas.stanza("task-data", { xmlns = sasl2 })
    :tag("salt", { xmlns = data, iterations = tostring(iterations) }):text(base64.encode(session.upgrade_salt)));
  return true;
end);
module:hook_tag(sasl2, "task-data", function (session, answer)
  local salted = base64.decode(answer:get_child_text("hash", data) or "");
  if session.upgrade ~= "begun" or not salted or #salted ~= 32 or mode == "refuse" then
    module:fire_event("sasl2/c2s/failure", { session = session, message = "temporary-auth-failure", error_text = "No room." });
    return true;
  end
  session.upgrade = "done";
  keys:set(session.sasl_handler.username, {
    stored_key = to_hex(hashes.sha256(hashes.hmac_sha256(salted, "Client Key")));
    server_key = to_hex(hashes.hmac_sha256(salted, "Server Key"));
    iterations = iterations; salt = to_hex(session.upgrade_salt);
  });
  module:fire_event("sasl2/c2s/success", { session = session });
  return true;
end);
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
  local paths="\"$server_directory/modules\"" room_modules=()
  if [ "$community" = true ]; then
    [ -d "$community_modules/mod_sasl2" ] || usage_error "--community needs the package prosody-modules"
    paths+="; \"$community_modules\""
    enabled+=(community_bridge sasl2 sasl2_bind2 sasl2_fast)
    write_community_bridge
    room_modules=(muc_moderation)
  fi
  case $upgrade in
    '') ;;
    whole | weak | refuse | leave | silent)
      enabled+=(upgrade)
      write_upgrade
      ;;
    *) usage_error "--upgrade is whole, weak, refuse, leave or silent, not '$upgrade'" ;;
  esac
  [ "$registration" = false ] || enabled+=(register_ibr user_account_management)
  if [ "$unnamed_answers" = true ]; then
    enabled+=(unnamed_answers)
    write_unnamed_answers
  fi
  if [ -n "$location" ]; then
    enabled+=(location)
    write_location
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
gc = { threshold = 400 }
plugin_paths = { $paths }
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
LUA
    # By itself Prosody has OpenSSL give none.
    if [ "$tickets" = true ]; then echo '  options = { no_ticket = false };'; fi
    echo '}'
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
        echo "modules_enabled = { $(lua_list muc_mam "${room_modules[@]}")}"
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

# encode TEXT: `encoded` becomes what Prosody names its files by, every octet but ASCII letters and digits as %xx. Accounts are made by the
# thousand in a test run: nothing here starts a process that can do without.
encode() {
  local LC_ALL=C text=$1 i c
  encoded=
  for ((i = 0; i < ${#text}; i++)); do
    c=${text:i:1}
    case $c in
      [a-zA-Z0-9]) ;;
      *) printf -v c '%%%02x' "'$c" ;;
    esac
    encoded+=$c
  done
}

# store STORE USER DOMAIN TEXT: that becomes the user's entry in the store. The server replaces such a file, for which the folder has to be
# its own.
store() {
  local folder encoded
  encode "$3"
  folder=$server_directory/data/$encoded/$1
  if [ ! -d "$folder" ]; then
    mkdir -p "$folder"
    chown --reference "$server_directory" "${folder%/*}" "$folder"
  fi
  encode "$2"
  printf '%s\n' "$4" >"$folder/$encoded.dat"
}

# quote TEXT: `quoted` becomes a string of Lua.
quote() {
  quoted=${1//\\/\\\\}
  quoted="\"${quoted//\"/\\\"}\""
}

# Prosody turns a plain password into the hash of its configuration when the account is first used.
create_account() {
  local quoted
  quote "$3"
  store accounts "$1" "$2" "return { [\"password\"] = $quoted };"
}

# What a roster has by now, and how often it was changed: somebody may be befriended more than once.
declare -A rosters versions

# befriend USER FRIEND DOMAIN: the friend is on the user's roster, beside those who are.
befriend() {
  local quoted key=$1@$3
  quote "$2@$3"
  rosters[$key]+=" [$quoted] = { [\"subscription\"] = \"both\"; [\"groups\"] = {} };"
  versions[$key]=$((${versions[$key]:-0} + 1))
  store roster "$1" "$3" "return { [false] = { [\"version\"] = ${versions[$key]} };${rosters[$key]} };"
}

make_friends() {
  befriend "$1" "$2" "$3"
  befriend "$2" "$1" "$3"
}

supervise "$@"
