# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""Writes the manual page from the program's own table of commands: manual.py JACKDAW >jackdaw.1

What is said of each command and option is said where it is declared; what is said of the program as a whole, here.
"""

import json
import re
import subprocess
import sys

LINES = """\
The prompt, a script and stdin that is no terminal take the same lines.
.IP \\(bu 2
A line that begins with
.B /
is a command.
.B //
sends a line that begins with
.BR / ;
.B /me
begins a message too (XEP\\-0245).
.IP \\(bu 2
Any other line is a message to the current conversation, which
.B /to
sets.
.IP \\(bu 2
In a script a line that begins with
.B #
is a remark.
.IP \\(bu 2
The words of a command are quoted as in a shell:
.BR \\(aq...\\(aq ,
.BR \\(dq...\\(dq ,
.BR \\e ;
at the prompt an apostrophe between two letters is no quote.
.IP \\(bu 2
Pasted text with newlines is one message.
.IP \\(bu 2
Some commands have an alias, such as
.B /msg
for
.BR /send .
The whole name and the alias work in scripts too; at the prompt the beginning of a name will do, where no other name or alias begins so
.RB ( "/fri ad" ).
What ends or takes away something has to be typed whole:
WHOLE.
.PP
A script is run line by line: each line waits until the one before has ended well. The first failure ends it with that line's
exit code and
.RI \\(dqline\\~ N :\\~...\\(dq
on stderr;
.B \\-\\-keep\\-going
runs on and ends with the code of the last failure. At its end the server has every message. Stdin may stay open: a line is run
when its newline comes, and a last line without one counts. What arrives meanwhile is printed as
.B listen
prints it."""

PROMPT = """\
The prompt names whom plain lines go to, how they are where that is known, and behind a bar the other conversations with unread
messages, the newest first. Before it stands how you are shown, where that is not plainly online. What is typed in a conversation
and not entered stays with it when another one is opened, and comes back with it. The lines typed are kept for the next time, but
for those that begin with a space, with a command that gives a password, or with
.B /xml
where the stanza holds one. A text of more than 50 lines is folded:
.B /show
prints it whole.
.PP
What begins with Alt can be typed with Esc before it, too; editing keys are GNU readline's."""

# As PromptKey.swift has them.
KEYS = [
    ("Tab", "completes commands, options, names, nicks and addresses; lists what is possible where that is more than one"),
    ("Ctrl-R", "searches the lines typed before"),
    ("Alt-Enter", "begins another line of the same message"),
    ("Alt-1 … Alt-9", "opens one of the nine most recent conversations; '/chats' shows their numbers"),
    ("Alt-a", "opens the next conversation with unread messages"),
    ("Alt-r", "opens the conversation with whoever wrote last, as '/r' does"),
    ("Alt-Up", "puts your last message on the empty input line, to be corrected by '/correct'"),
    ("Ctrl-C", "clears the line; on an empty one, cancels what a command waits for"),
    ("Ctrl-D", "leaves, on an empty line"),
    ("Ctrl-Z", "suspends the program; 'fg' brings it back"),
]

OUTPUT = """\
Results and what happens go to stdout; remarks, questions and failures to stderr. In text, a message is
.RI \\(dq TIME\\~SENDER :\\~ TEXT \\(dq
on one line; further lines of the same message are marked and indented, so that none can look like another message. Rows of a
list are columns on a terminal and separated by a TAB elsewhere. Success is silent where there is nothing to show.
.PP
With
.B \\-\\-json
every result, event and failure is a line of JSON on stdout, with the keys
.IR event ,
.I time
and
.I account
first; JSON.md, which is installed with README.md, lists the others."""

ENVIRONMENT = [
    ("JACKDAW_ACCOUNT", "--account"), ("JACKDAW_JID", "--jid"), ("JACKDAW_SERVER", "--server"), ("JACKDAW_TLS", "--tls"),
    ("JACKDAW_CA_FILE", "--ca-file"), ("JACKDAW_PASSWORD_FILE", "--password-file"), ("JACKDAW_CONFIG", "--config"),
    ("JACKDAW_DATA_DIR", "--data-dir"), ("JACKDAW_TIMEOUT", "--timeout"),
]

EXAMPLES = [
    ("Begin: it asks for an account where there is none.", ["jackdaw"]),
    ("Add an account without the prompt, or change its password here; a log-in shows that it works.",
     ["jackdaw account add you@example.org"]),
    ("Tell somebody that a long job is done; the exit code says whether the server has it.",
     ["make; jackdaw send bob@example.org \"make: $?\""]),
    ("Answer everybody who writes.", ["jackdaw listen --exec ./answer --reply"]),
    ("Who of the friends is online, for a program.", ["jackdaw friends --online --json | jq -r .jid"]),
]


def escaped(text):
    """Text for troff: its backslashes, hyphens, quotes and leading dots are its own."""
    for sign, name in (("\\", "\\e"), ("-", "\\-"), ("'", "\\(aq"), ("`", "\\(ga"), ("^", "\\(ha"), ("~", "\\(ti"), ("…", "...")):
        text = text.replace(sign, name)
    # A picture of several characters is one glyph for no printer: its first is enough.
    text = re.sub("[^\x00-\x7f]+", lambda found: "\\[u%04X]" % ord(found[0][0]), text)
    return "\\&" + text if text.startswith(".") else text


def bold(text):
    return "\\fB" + escaped(text) + "\\fR"


def italic(text):
    return "\\fI" + escaped(text) + "\\fR"


def name_of(name):
    return {"long": "--", "short": "-", "longWithSingleDash": "-"}[name["kind"]] + name["name"]


def option_key(argument):
    return name_of(argument["preferredName"]) if argument.get("preferredName") else ""


def shown(arguments):
    return [a for a in arguments if a.get("shouldDisplay", True)]


def value_of(argument):
    return italic(argument.get("valueName") or "value")


def synopsis(words, command, general):
    """One line of usage; the options that every command has are left out."""
    parts = [bold(words)]
    for argument in shown(command.get("arguments", [])):
        if argument["kind"] == "positional":
            text = value_of(argument)
        elif option_key(argument) in general:
            continue
        else:
            text = bold(name_of(argument["preferredName"]))
            if argument["kind"] == "option":
                text += " " + value_of(argument)
        if argument.get("isRepeating"):
            text += " ..."
        parts.append("[" + text + "]" if argument.get("isOptional") else text)
    return " ".join(parts)


def definitions(arguments):
    lines = []
    for argument in arguments:
        if argument["kind"] == "positional":
            head = value_of(argument)
        else:
            names = sorted(argument["names"], key=lambda name: name["kind"] == "long")
            head = ", ".join(bold(name_of(name)) for name in names)
            if argument["kind"] == "option":
                head += " " + value_of(argument)
        lines += [".TP", head, escaped(argument.get("abstract") or "")]
    return lines


def leaves(path, commands):
    """Each command that is no group, with its words."""
    for command in commands:
        if not command.get("shouldDisplay", True):
            continue
        words = path + [command["commandName"]]
        if command.get("subcommands"):
            yield from leaves(words, command["subcommands"])
        else:
            yield words, command


def below(root):
    """The commands of a root, without the parser's own `help`: that is added behind them."""
    return root["subcommands"][:-1]


def listed(names):
    return " and ".join([", ".join(names[:-1]), names[-1]])


def typed(lines):
    return [".PP", ".RS 4", ".nf"] + [escaped(line) for line in lines] + [".fi", ".RE"]


def also(name, aliases):
    """The aliases that lines have for a command, and what each stands for beyond it."""
    words = [bold(word) + (" (" + bold("/" + name + " " + added) + ")" if added else "") for word, added in aliases]
    return [".PP", "In lines also " + (listed(words) if len(words) > 1 else words[0]) + "."] if words else []


def examples(declared, start):
    lines = []
    for line, meaning, place in declared:
        lines += [".TP", bold(("/" if place == "lines" else start) + line), escaped(meaning)]
    return [".PP", "Examples:"] + lines if lines else []


def described(name, start, command, general, declared):
    """The section on a command; `start` is what stands before its name where it is typed."""
    notes = declared[name]
    lines = [".SS " + synopsis(start + name, command, general), escaped(command.get("abstract") or "")]
    for paragraph in (command.get("discussion") or "").split("\n\n"):
        if paragraph:
            lines += [".PP", escaped(paragraph)]
    lines += also(name, notes["aliases"])
    lines += definitions([a for a in shown(command.get("arguments", [])) if option_key(a) not in general])
    return lines + examples(notes["examples"], start)


def topic(page):
    lines = [".SS " + escaped(page["title"])]
    for kind, *words in page["blocks"]:
        if kind == "text":
            lines += [".PP", escaped(words[0])]
        elif kind == "typed":
            lines += typed(words)
        else:
            for word, meaning in zip(words[::2], words[1::2]):
                lines += [".TP", bold(word), escaped(meaning)]
    return lines


def table(program, option):
    output = subprocess.run([program, option], check=True, stdin=subprocess.DEVNULL, capture_output=True)
    return json.loads(output.stdout)


def page(program):
    root = table(program, "--experimental-dump-help")["command"]
    lines_table = table(program, "--experimental-dump-line-help")
    version = subprocess.run([program, "--version"], check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    general = {option_key(a) for a in root["arguments"] if a["kind"] != "positional"} | {"--help", "--version"}
    name = root["commandName"]
    lines = [
        '.\\" Written by Docs/manual.py from the table of commands.',
        f'.TH {name.upper()} 1 "" "{version.stdout.strip()}" "User Commands"', ".SH NAME",
        f"{name} \\- {escaped(root['abstract'].rstrip('.').replace('Chat', 'chat', 1))}", ".SH SYNOPSIS",
        f".B {name}", ".RI [ options ]", ".RI [ command \\~...]",
        ".SH DESCRIPTION", escaped(root.get("discussion") or ""), ".SH OPTIONS",
        "Every command takes these. An option on the command line beats the environment, which beats the configuration file.",
    ]
    lines += definitions(shown(root["arguments"]))
    declared = {notes["name"]: notes for notes in lines_table["declared"]}
    lines += [".SH COMMANDS"]
    # The parser lists a group's subcommands wherever the group can be used.
    of_shell = [leaf for leaf in leaves([], below(root)) if " ".join(leaf[0]) not in lines_table["lineOnly"]]
    for words, command in of_shell:
        lines += described(" ".join(words), name + " ", command, general, declared)
    of_lines = list(leaves([], below(lines_table["command"])))
    known = {tuple(words) for words, _ in of_shell}
    whole = listed([bold(notes["name"]) for notes in lines_table["declared"] if notes["isTypedWhole"] and notes["inLines"]])
    lines += [".SH LINES", LINES.replace("WHOLE", whole), ".PP"]
    of_shell_alone = listed([bold(words) for words in lines_table["shellOnly"]])
    lines += [f"Of the commands above {of_shell_alone} are for the shell alone."]
    groups = [notes for notes in lines_table["declared"] if notes["aliases"] and not notes["examples"]]
    for notes in groups:
        words = listed([bold(word) for word, _ in notes["aliases"]] + [bold("/" + notes["name"])])
        lines += [".PP", f"{words} are the same."]
    lines += [".PP", "These are for lines alone."]
    for words, command in of_lines:
        if tuple(words) not in known:
            lines += described(" ".join(words), "/", command, general, declared)
    lines += [".SH PROMPT", PROMPT]
    for keys, meaning in KEYS:
        lines += [".TP", bold(keys.replace("…", "to")), escaped(meaning)]
    lines += [".SH OUTPUT", OUTPUT, ".SH ENVIRONMENT"]
    for variable, option in ENVIRONMENT:
        lines += [".TP", bold(variable), f"As {bold(option)}."]
    lines += [
        ".TP", bold("JACKDAW_PASSWORD"), "The password itself. It is taken out of the environment once it has been read.",
        ".TP", bold("JACKDAW_OUTPUT"), f"{bold('json')} is as {bold('--json')}; {bold('text')} is what there is without.",
        ".TP", bold("NO_COLOR"), "If set and not empty: no colours.",
        ".TP", bold("JACKDAW_THEME"),
        "The colours: " + ", ".join(map(bold, ["auto", "dark", "light", "color-blind-dark", "color-blind-light"])) + " or "
        + f"{bold('none')}.",
        ".TP", bold("JACKDAW_SCREEN_READER"), f"{bold('1')} is as {bold('--screen-reader')}; {bold('0')} is without.",
        ".TP", bold("JACKDAW_NO_AGENT"), f"If set and not empty: as {bold('--no-agent')}.",
        ".TP", bold("XDG_RUNTIME_DIR"),
        "Where the sockets are of the Jackdaws that run: AGENT.md, which is installed with README.md, describes them.",
        ".TP", bold("PAGER"), "Shows history on a terminal; else less does. Empty, or cat: nothing does.",
        ".SH FILES", ".TP", italic("$XDG_CONFIG_HOME/jackdaw/config.toml"),
        "The accounts; in ~/.config without that variable. CONFIGURATION.md, which is installed with README.md, describes it.",
        ".TP", italic("$XDG_DATA_HOME/jackdaw/history"),
        "The lines typed at the prompt; in ~/.local/share without that variable. Beside it is a database for each account.",
        ".SH EXIT STATUS",
    ]
    for entry in lines_table["exitCodes"]:
        lines += [".TP", bold(str(entry["code"])), escaped(entry["meaning"])]
    lines += [".SH TOPICS", "What " + bold(f"{name} help") + " has a page on, beside each command."]
    for page_of_topic in lines_table["topics"]:
        lines += topic(page_of_topic)
    lines += [".SH EXAMPLES"]
    for text, commands in EXAMPLES:
        lines += [".PP", escaped(text)] + typed(commands)
    lines += [".SH SEE ALSO", "README.md in the folder of the documentation, and JSON.md, CONFIGURATION.md and XEPS.md in Docs below it; RFC 6120, RFC 6121."]
    return "\n".join(line for line in lines if line) + "\n"


sys.stdout.write(page(sys.argv[1]))
