// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The pages themselves.
extension HelpTopic {
  static let accountsPage: [Block] = [
    .text(
      """
      The first start asks for your address and password, or makes a new account. Others are set up so; the password is asked for, and \
      never stands on the command line:
      """),
    .typed(["jackdaw account add you@example.org", "jackdaw account check"]),
    .text("'account register' makes a new one, at a server that lets you."),
    .text(
      """
      With several accounts a run works with the one that --account or JACKDAW_ACCOUNT names, or with several where they name more, else \
      with default_account of the configuration file. At the prompt '/account work' goes on with another. --jid logs in as an address \
      that is not in that file.
      """),
    .text("The password is the first of these that there is:"),
    .list([
      ("--password-file", "a file, for this run (JACKDAW_PASSWORD_FILE does the same)"),
      ("JACKDAW_PASSWORD", "the password itself, in the environment"),
      ("configuration", "password, password_file or password_command of the account"),
      ("the terminal", "where you are asked, without echo"),
    ]),
    .text(
      """
      The file is config.toml in $XDG_CONFIG_HOME/jackdaw (~/.config/jackdaw); 'account list' shows its accounts. 'account remove' takes \
      one out of the file, 'account unregister' deletes it at the server.
      """),
  ]

  static let exitCodesPage: [Block] = [
    .text("0 is success: the server has confirmed all of it. A script ends with the code of the line that failed."),
    .list(ExitCode.all.map { ("\($0.value)", $0.meaning) }),
    .text("With --json the code stands in the 'error' object, too. In a shell:"),
    .typed(["jackdaw send bob@example.org Done || echo \"$?\""]),
  ]

  static let jsonPage: [Block] = [
    .text(
      """
      With --json, or JACKDAW_OUTPUT=json, each event, result and failure is one line of JSON on stdout, written at once. The first keys \
      are always 'event', 'time' (UTC) and 'account'; more keys may be added some day, and none goes away.
      """),
    .list([
      ("message", "one that came: id, from, to, type, body …"),
      ("message-state", "what became of one of yours: waiting, sent, server, delivered …"),
      ("presence", "how somebody is: from, show, status, priority"),
      ("friend", "an entry of the contact list, or a change of it"),
      ("friend-request", "somebody asks to be your friend"),
      ("connection", "connecting, online, resumed, offline, retrying"),
      ("result", "what a command found, after 'command'"),
      ("error", "a failure: condition, text, and code, the exit code"),
    ]),
    .text(
      "Notices and questions stay on stderr. All events and keys are in JSON.md, which is installed with README.md."),
    .typed([
      "jackdaw friends --online --json | jq -r .jid", "jackdaw listen --count 1 --json | jq -r .body",
    ]),
  ]

  static let keysPage: [Block] = [
    .list(
      [("Enter", "sends the line"), ("Up, Down", "the lines that were typed before, in earlier runs too")]
        + PromptKey.allCases.map { ($0.keys, $0.meaning) }),
    .text(
      """
      What begins with Alt can be typed with Esc before it. Pasted lines are one message, which Enter sends. /clear clears the screen, which can \
      still be scrolled back.
      """),
    .text(
      """
      The beginning of a command will do where no other begins so: '/fri ad bob@example.org'. What ends or takes away something, such \
      as /quit, /block and '/friends remove', has to be typed whole.
      """),
    .text("The other keys are those of GNU readline, as your ~/.inputrc has them."),
    .text("What the prompt says before the line:"),
    .list([
      ("Bob>", "what you type goes to Bob"),
      ("Bob (away)>", "how Bob is; (status unknown) or (?): Bob does not show it, or has not answered you yet"),
      ("Bob | Carol +1>", "Carol wrote one message that you have not read"),
      ("Bob | 3 unread chats>", "messages that you have not read are in three other conversations"),
      ("Bob | 5 unread>", "in a narrow window: five messages of others that you have not read"),
    ]),
  ]

  static let dataPage: [Block] = [
    .text("To keep nothing of one run, nothing of one person, or to delete what is here:"),
    .typed([
      "jackdaw --no-history", "jackdaw history off bob@example.org", "jackdaw history delete bob@example.org",
    ]),
    .text("On this machine, in files that only your user can read, and that are not encrypted:"),
    .list([
      (
        "history",
        "messages, contacts, requests and blocks, in a database below $XDG_DATA_HOME/jackdaw (~/.local/share/jackdaw)"
      ),
      ("outbox", "messages that are still unsent, also with --no-history and 'history off'; 'outbox' lists them"),
      ("typed lines", "what you entered at the prompt, but no password and no line that begins with a space"),
      ("password", "in config.toml, if you had it stored there; password_command or password_file keeps it elsewhere"),
    ]),
    .text(
      """
      Your server can read your messages, as there is no end-to-end encryption yet. It may keep them in its archive: 'history archive' \
      shows and changes that, where the server lets you. Deleting here deletes nothing there.
      """),
    .text(
      """
      Friends see whether you are online, away or busy, your status text, and, if their program asks, your version of Jackdaw, your local \
      time and how long you have been idle. They, and whoever you have written to, are told that a message has come, that you have read it, \
      and that you are typing: 'privacy' shows that and switches it off, 'receipts', 'markers' and 'typing' in the configuration for \
      all. Others see none of it. Who is in a room with you sees your name there, \
      whether you are away or busy, and, where the room shows it, your address; rooms that you are not in see nothing. \
      '/status offline' shows you as offline, and leaves all rooms. Your server keeps how far you have read for your own other \
      devices.
      """),
  ]

  static let scriptsPage: [Block] = [
    .text("A script has the lines of the prompt, one after the other:"),
    .typed([
      "# Ask, and wait a minute for the answer.", "/to bob@example.org", "Are you there?",
      "/wait message --from bob@example.org --for 60",
    ]),
    .list([
      ("/command", "a command; '/help all' lists them"),
      ("//text", "sends a text that begins with one /"),
      ("/me text", "is a message too"),
      ("# text", "a comment"),
      ("any other", "a message to whom the last /to named"),
    ]),
    .text("Words are quoted as in a shell, with '…', \"…\" and \\. To run it, or what a pipe gives:"),
    .typed(["jackdaw run FILE", "printf '/to bob@example.org\\nHello\\n' | jackdaw"]),
    .text(
      """
      Each line waits until the one before has ended well. The first failure ends the script with its exit code and 'line N: …' on \
      stderr; --keep-going goes on, ends with the last failure's code, and says how many lines failed. At the end the server has every \
      message. What arrives meanwhile is printed.
      """),
    .list([
      ("/set NAME VALUE", "gives a variable its value"),
      ("${NAME}", "is that value, else the environment's; one that has none is an error"),
      ("/include FILE", "runs the lines of another script, beside this one"),
      ("/if-online JID …", "runs a command if a contact is online"),
      ("/wait EVENT …", "waits for one event, for all of several, or with --any for the first"),
      ("/expect CODE …", "runs a command that is to end with this exit code"),
      ("$?", "is the exit code of the command before, among the words of a command; ${?} everywhere"),
    ]),
    .text(
      """
      ${NAME} stands in commands and messages alike, but not in single quotes and not behind a backslash where words are quoted; $${NAME} is \
      ${NAME} itself everywhere. A value is part of its word, whatever is in it, and what it holds is not replaced again. Nothing is replaced \
      in what others write, nor at the prompt. SCRIPTING.md, which is installed with README.md, has more, and recipes.
      """),
    .text(
      """
      A /to that fails leaves nobody to talk to: no plain line is sent until another succeeds. Aliases such as /msg work in scripts; the \
      beginning of a command does not, as a later version may have another command that begins so.
      """),
  ]
}
