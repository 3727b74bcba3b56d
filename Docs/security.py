# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""Writes the table of promises of Docs/SECURITY.md from a log of all tests, and checks it.

security.py LOG [TREE]       writes it; fails where a named test did not pass in LOG, which `make test` leaves in .build/tests.log
security.py --check [TREE]   fails where the page is not what the rows give, or a named test is not in the file named

A row has an attack or a fault, its reference, what Jackdaw does, and the titles of the tests that fail if it does not.
"""

import os
import re
import sys
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join("Docs", "SECURITY.md")
BEGIN, END = "<!-- Written by security.py: begin -->", "<!-- Written by security.py: end -->"

CERTIFICATES = {"JackdawTransportTests/TLS/CertificateTests.swift": [
    "A certificate is accepted only if it is valid, trusted and for the domain"]}
NEGOTIATION = "JackdawProtocolTests/Stream/NegotiationTests.swift"
AUTHENTICATION = "JackdawProtocolTests/Stream/AuthenticationTests.swift"
UPGRADE, UPGRADE_FAULTS = "JackdawProtocolTests/Stream/UpgradeTests.swift", "JackdawProtocolTests/Stream/UpgradeFaultTests.swift"
EXTENSIBLE = "JackdawProtocolTests/Stream/ExtensibleLoginTests.swift"
ENDING = "JackdawProtocolTests/Stream/EndingTests.swift"
CHOICE = {"JackdawProtocolTests/SASL/MechanismChoiceTests.swift": ["What is tried, in order"]}
CLEAR = "Nothing goes over a connection that is not secure"
ABORTED = "Aborted, and nothing later is read"
XML = "JackdawXMLTests/DecoderSecurityTests.swift"
LIMITS = "JackdawXMLTests/DecoderLimitTests.swift"
ROUTER = "JackdawSessionTests/Routing/RouterTests.swift"
ESCAPER = "JackdawTerminalTests/Escape/EscaperTests.swift"

# Heading -> rows of (attack or fault, reference, what Jackdaw does, {file below Tests: tests})
ROWS = {
    "The connection and TLS": [
        ("The server's offer of TLS is removed", "RFC 7590 3.1, RFC 6120 5.3.1; CVE-2016-10027, CVE-2009-3026",
         "ends the connection. No log-in goes over it, and no setting allows one.",
         {NEGOTIATION: [CLEAR, "Features: optional STARTTLS, foreign features and compression change nothing"]}),
        ("A server that speaks XMPP as it was before version 1.0", "XEP-0078",
         "ends the connection, and never sends jabber:iq:auth.", {NEGOTIATION: [CLEAR]}),
        ("TLS is refused, or something else comes in place of the consent", "RFC 6120 5.4.2.2", "ends the connection.",
         {NEGOTIATION: [CLEAR]}),
        ("Bytes in the clear behind the consent to TLS", "RFC 6120 5.4.2.3; the class of CVE-2011-0411",
         "ends the connection before the handshake: not one byte of them is read as XML. Bytes behind the success of the log-in end it "
         "too.",
         {NEGOTIATION: [CLEAR, "The decoder is restarted before the handshake begins",
                        "After the consent to TLS nothing is written in the clear, not even an error"],
          "JackdawSessionTests/Session/SessionLoginTests.swift": [
              "bytes behind the consent to STARTTLS end the log-in", "bytes behind the SASL success end the log-in"],
          "JackdawTransportTests/Connection/TCPTransportTests.swift": ["Plain text after STARTTLS is never delivered"]}),
        ("Stanzas before TLS or before the end of the log-in", "RFC 6120 6.3",
         "neither shows nor answers them, and ends the connection.",
         {"JackdawProtocolTests/Stream/GateTests.swift": [
             "Whatever a server says that does not know the password, in whatever order, no stanza gets through"],
          "JackdawSessionTests/Session/SessionLoginTests.swift": ["a stanza before the end of SASL is neither displayed nor answered"]}),
        ("The server skips the log-in", "RFC 6120 6.3", "ends the connection.",
         {AUTHENTICATION: ["Authentication skipped by the server"]}),
        ("A valid certificate of another host", "RFC 6120 13.7.2, RFC 9525; CVE-2022-45197, CVE-2022-24968",
         "verifies the certificate for the domain of the account, whatever host DNS or an option names, and ends the connection before "
         "the log-in.",
         {**CERTIFICATES,
          "JackdawTransportTests/Connecting/DirectTLSTests.swift": ["A certificate for the host of the SRV record is not enough"],
          "JackdawTransportTests/Connection/TCPTransportTests.swift": ["A wrong certificate ends the connection"],
          "ProgramTests/BadInputTests.swift": ["a certificate that is not to be trusted"]}),
        ("The domain is only in the common name", "RFC 9525 6.3", "refuses the certificate.", CERTIFICATES),
        ("Wildcards", "RFC 9525 6.3", "takes one whole label on the left for one label, and nothing else.", CERTIFICATES),
        ("International domains", "RFC 6120 13.7.1.2, RFC 5890", "compares, looks up and announces the ASCII form.",
         {**CERTIFICATES,
          "JackdawCommandsTests/Accounts/SettingsReaderTests.swift": ["make a plan of the domain, the server and the time"],
          "JackdawTransportTests/TLS/TLSSessionTests.swift": ["The domain is sent as server name (SNI)"]}),
        ("Capital letters in a certificate's name", "RFC 9525", "takes them for small ones.", CERTIFICATES),
        ("Only the name of a service between servers, or of a user", "RFC 4985, RFC 6120 13.7.1.2", "refuses the certificate.",
         CERTIFICATES),
        ("A NUL in a certificate's name", "the class of CVE-2009-2408", "refuses the certificate.", CERTIFICATES),
        ("A certificate that is expired, not yet valid, self-signed or of an unknown authority", "RFC 5280", "refuses it.",
         CERTIFICATES),
        ("A server's certificate signs another one", "RFC 5280; the class of CVE-2014-0363", "refuses it.", CERTIFICATES),
        ("A certificate for another use, a weak key, a weak signature", "RFC 5280", "refuses it.", CERTIFICATES),
        ("TLS before 1.2, weak ciphers, renegotiation, early data", "RFC 8996, RFC 9325",
         "refuses the old versions, ciphers without encryption, authentication or forward secrecy, and renegotiation, and sends nothing "
         "of its own before a handshake is done.",
         {"JackdawTransportTests/TLS/TLSSessionTests.swift": [
             "TLS 1.1 and older is refused", "Weak cipher suites are refused", "Renegotiation is refused",
             "Every handshake is a full one, without resumption and early data"]}),
        ("A ticket of an earlier TLS connection in the hands of somebody else, or after what it was verified by has changed",
         "RFC 8446 2.2, 4.6.1, C.4",
         "keeps tickets of TLS 1.3 alone, with which nothing of an earlier connection can be read, beside the messages, where nobody else "
         "can read them; uses each once, for the domain, the way to begin and the authorities by which the certificate was verified, "
         "which counts for a day and no longer than the certificates are valid, however often it is resumed; makes a whole handshake "
         "where a ticket is refused or damaged; keeps none of an account that is not in the configuration, nor with 'store = \"none\"', "
         "and forgets them with 'account logout'.",
         {"JackdawTransportTests/TLS/TLSResumptionTests.swift": [
             "is as secure as the first: bound to itself and to the same certificate, and without early data",
             "is not made for another domain, another way, other authorities or other files of them",
             "is not made of a ticket that is too old, nor of one with a certificate for another domain",
             "is not made of bytes that are no ticket, and nothing crashes over them",
             "is not made by TLS 1.2, whose tickets hold the keys of what was said before",
             "counts as verified for a day and no longer than its certificates, however often it is resumed"],
          "JackdawSessionTests/Session/SessionTicketTests.swift": [
              "a log-in that takes the token back leaves no ticket, and with the secrets the ticket is forgotten",
              "a handshake that fails over a ticket is done once more without, and nobody is told"],
          "JackdawStoreTests/LoginTableTests.swift": ["A ticket is taken by one program only"],
          "ProgramTests/TicketProgramTests.swift": [
              "each run resumes what the one before left, until 'account logout'",
              "a server that does not know the ticket any more verifies itself anew, in the same connection",
              "what was verified by another file of authorities is verified anew",
              "a ticket that is damaged is done without, and not a word is said",
              "nothing is kept with --store none, nor for an account that stands in the environment alone"]}),
        ("Direct TLS", "XEP-0368", "verifies it as it verifies STARTTLS, and says the domain (SNI) and the protocol (ALPN).",
         {"JackdawTransportTests/Connecting/DirectTLSTests.swift": ["With direct TLS the certificate is verified for the domain"],
          "JackdawTransportTests/TLS/TLSSessionTests.swift": ["Direct TLS announces XMPP by ALPN"]}),
        ("The connection is cut so that it looks ended", "RFC 8446 6.1",
         "takes an end without close_notify for a broken connection.",
         {"JackdawTransportTests/TLS/TLSSessionTests.swift": ["Only close_notify ends the session properly"],
          "JackdawTransportTests/Connection/TransportEndTests.swift": ["An end without close_notify is a loss"]}),
        ("A man in the middle who has a valid certificate", "RFC 9266, RFC 5929; jabber.ru 2023",
         "binds the log-in to the TLS connection where the server can, and says \"possible man in the middle\" when the server refuses.",
         {"JackdawProtocolTests/Stream/LoginTests.swift": [
             "Another TLS connection in the middle: the binding's data differ and the server refuses"],
          "JackdawTransportTests/TLS/ChannelBindingTests.swift": ["The tls-exporter binding is the same at both ends"],
          "ProgramTests/ChannelBindingOffProgramTests.swift": [
              "a man in the middle with the server's own certificate is found out, and let through where binding is off"]}),
        ("A stream is to be resumed at a host whose certificate is bad", "XEP-0198 5",
         "turns to the domain's own server at once.",
         {"ProgramTests/ClusterTests.swift": [
             "that has its streams resumed where the certificate is bad resumes them itself, at once"]}),
        ("Redirection to another host", "RFC 6120 4.9.3.19; CVE-2022-22787",
         "follows it within verified TLS only, three times at most, verifies the account's own domain there, and goes to no malformed "
         "host.",
         {ENDING: ["Redirect: see-other-host is followed within TLS, and not before it", "Redirect: a malformed host goes nowhere"],
          "JackdawSessionTests/Session/LiveSessionTests.swift": ["redirections in a circle are followed three times"],
          "JackdawHostsTests/HostPortTests.swift": ["A redirection to a malformed host is refused"]}),
        ("The first header tells who logs in", "RFC 6120 4.7.1", "says no user's name before TLS.",
         {NEGOTIATION: ["The first header does not tell who we are; the one under TLS does"]}),
        ("DNS answers that lie", "XEP-0368, RFC 6120 3.2; CVE-2022-26491",
         "asks for SRV and addresses alone, tries ten targets at most, takes the target \".\" for a refusal where nothing is left unsaid of "
         "the other service, and ends loops. No answer changes for whom the certificate has to be.",
         {"JackdawTransportTests/Connecting/DirectTLSTests.swift": ["With direct TLS the certificate is verified for the domain"],
          "JackdawTransportTests/Connecting/ConnectorTests.swift": [
              "The targets of the SRV records are tried in order", "A domain that declares the service as not offered is not tried"],
          "JackdawTransportTests/Names/ServiceLookupTests.swift": [
              "The root as the only target means that the service is not offered",
              "where one service is refused and of the other nothing can be said, a later look-up may find it",
              "Of a thousand records ten are targets", "A record with port zero is dropped"],
          "JackdawTransportTests/Names/ServiceAnswerTests.swift": [
              "No damage to an answer crashes the reader", "Pointers that go in a circle end the reading"],
          "JackdawTransportTests/Names/SystemResolverTests.swift": [
              "A name server that lies is harmless", "A chain of aliases that leads nowhere ends"]}),
        ("Addresses that do not answer", "RFC 8305",
         "tries addresses of both families, however many there are of one, the next one after 250 ms; the deadline covers look-up, "
         "connection and handshake. An address that took a connection of which no log-in came is tried last the next time. One that "
         "takes a connection and says nothing, under direct TLS too, is left for another after five seconds, or a third of the log-in's "
         "time; one that hangs up without a word at once.",
         {"JackdawTransportTests/Connecting/AddressRaceTests.swift": [
             "addresses of IPv6 and IPv4 alternate", "after a quarter of a second a silent address is overtaken by the next one",
             "an address that took a connection before a log-in came to nothing is tried after the others of its target",
             "a connection for STARTTLS that comes long after a handshake's time is over is not held back for it"],
          "JackdawSessionTests/Session/SilentAddressTests.swift": [
              "an address that takes the connection and says nothing costs a log-in some seconds, not all of its time",
              "an address at which TLS stands at once and then nothing is said is left as well",
              "an address that takes the connection and hangs up without a word is left at once",
              "where everybody hangs up each address is left once"],
          "JackdawTransportTests/Names/SystemResolverTests.swift": [
              "many addresses of one family leave those of the other in"],
          "JackdawTransportTests/Connecting/ConnectorTests.swift": [
              "A slow address is overtaken", "The deadline ends the connection attempt", "The deadline covers the look-up",
              "The deadline covers the TLS handshake"]}),
    ],
    "The log-in": [
        ("The token of the last log-in in the hands of somebody else, or a server that does not know it", "XEP-0484",
         "keeps tokens where nobody else can read, for one account on one machine, uses none that is not bound to the TLS connection, "
         "believes no server that does not prove that it knows it, drops one that is refused, takes a log-in by it for no proof of a "
         "password, and has the server take it back by 'account logout'.",
         {EXTENSIBLE: [
             "with a token takes two round trips, and proves it bound to the connection",
             "with a token takes no server for ours that does not know it",
             "uses no token that is not bound to the connection, and asks for none",
             "with a token that is refused is tried again without, and the password was never sent"],
          "ProgramTests/ExtensibleLoginProgramTests.swift": [
              "the first is by the password, each later one by a token, until that is taken back",
              "by a token says nothing of which of two passwords is right"]}),
        ("The keys of an earlier log-in in the hands of somebody else, or of another password", "RFC 5802 3, 9",
         "keeps keys beside the messages, where nobody else can read, and nothing by which a password could be guessed more quickly than by "
         "them; keeps none of a password that stands elsewhere than in the configuration, unless 'store = \"keys\"' says so; forgets those "
         "that are refused, and none that have taken their place; takes a log-in by them for no proof of a password, and removes them by 'account logout'.",
         {"JackdawSessionTests/Session/KeptKeysTests.swift": [
             "stored keys are used instead of the password that they were made from", "where keys are not to be stored none is",
             "stored keys that are refused are forgotten, and the password is tried once",
             "a program whose keys fit no more takes those that another one has left since, and deletes none",
             "a log-in that is to verify the password does not use stored keys"],
          "ProgramTests/KeptKeysProgramTests.swift": [
              "with --store keys the password is nowhere, and no rounds are counted twice",
              "beside a password in the file the keys are used, until the file is changed",
              "with --store none nothing is kept, not even a token",
              "a wrong password is not stored because a token of an earlier log-in is right"]}),
        ("A log-in in one exchange that says too little, or is taken out of the offer", "XEP-0388, XEP-0386",
         "ends the connection where success names nobody or somebody else, a resource is bound and not named, or another stream is resumed "
         "than the one that was asked for, refuses the old profile where the last log-in was by the new one, and at first gives no bare "
         "password by the new one to a server that takes SCRAM by the old one.",
         {EXTENSIBLE: [
             "is ended by what must not be",
             "is ended by a server that does not say what became of the stream, or goes on with another",
             "is not done by the old way where the last one was by the new",
             "gives no bare password at first to a server that takes SCRAM by the other profile"]}),
        ("A server that asks for keys for a better mechanism is not ours, or does it wrong", "XEP-0480, XEP-0388",
         "gives them only to a server that has proved itself, after a log-in with the password itself that is bound to the TLS connection, "
         "or at a server that offers no binding and takes our word that we could have bound; after PLAIN, where the server has been sent "
         "the password. Nothing is given where binding is offered and not used, nor with fewer or more iterations than a log-in may have. "
         "Whatever goes wrong afterwards, and within ten seconds, the log-in is done again without. What remains: at a server "
         "without channel binding somebody with a certificate for its domain can ask for the keys as it could.",
         {UPGRADE: ["gives the SaltedPassword when the server has proved itself, and is then as any other",
                    "asks for what is better, where the log-in shows who is there",
                    "proves the password itself, and not kept keys that stand for it",
                    "is ended by a server whose own hash over its offer shows that the better mechanism was taken out"],
          UPGRADE_FAULTS: ["gives nothing to a server that has not shown that it knows the password, and is not tried again",
                           "that nobody asked for is one that cannot be done", "says that the log-in does as well without"],
          "JackdawSessionTests/Session/StreamLogTests.swift": ["The log shows no data of a log-in by SASL2 either"],
          "ProgramTests/UpgradeProgramTests.swift": [
              "a server without a better mechanism has it after the first log-in, and the second is by it",
              "one that comes to nothing costs a connection and no log-in",
              "keys that stand for the password are those of the mechanism that stays"]}),
        ("A weak mechanism stands first", "RFC 6120 6.3.3, RFC 7677",
         "takes a mechanism with channel binding before one without, the strongest hash first, PLAIN last.", CHOICE),
        ("Downgrade to PLAIN", "RFC 6120 13.8.3, XEP-0474",
         "refuses PLAIN where the last log-in was better, or where that cannot be read, and says how to reset it. Where an account "
         "never had anything better it is used, within verified TLS, and said.",
         {**CHOICE, "JackdawSessionTests/Session/SessionLoginTests.swift": [
             "the mechanism is remembered against a downgrade",
             "the password itself is not sent where the remembered mechanism cannot be read"],
          "JackdawProtocolTests/Stream/LoginTests.swift": ["Good and bad"],
          "JackdawStoreTests/AccountStoreTests.swift": ["the mechanism of a damaged database is unknown to each later program too"],
          "ProgramTests/PasswordDemandProgramTests.swift": [
              "is no bare password where it was SCRAM before",
              "is no bare password where nobody can read what it was before"]}),
        ("A failure that invites a weaker mechanism", "RFC 6120 6.4.5", "never repeats a refused password in a weaker mechanism.",
         {AUTHENTICATION: ["Fallback after failure: a wrong password is never repeated in a weaker mechanism"],
          "JackdawSessionTests/Session/SessionLoginTests.swift": ["a wrong password is refused and not tried again"]}),
        ("Only DIGEST-MD5, CRAM-MD5, ANONYMOUS or the like", "RFC 6331", "refuses them in one sentence.", CHOICE),
        ("Channel binding is removed from the offer", "RFC 5802 6, XEP-0440",
         "tells the server that it could have bound; goes without binding, where the last log-in was bound, only if the server "
         "proves its offer (XEP-0474).",
         {**CHOICE, AUTHENTICATION: ["-PLUS announced and then refused: possible man in the middle, and no second try",
                                     "Types not announced: once the proof is out, a failure is the password's and ends it"],
          "JackdawProtocolTests/Stream/LoginTests.swift": ["Good and bad"]}),
        ("Channel binding of the wrong kind", "RFC 9266, RFC 5929",
         "uses tls-exporter, tls-server-end-point and, on TLS 1.2 alone, tls-unique.",
         {"JackdawProtocolTests/SASL/MechanismChoiceTests.swift": [
             "Channel binding: tls-unique never on TLS 1.3, no empty data, nothing unknown"],
          "JackdawTransportTests/TLS/ChannelBindingTests.swift": [
              "There is no tls-exporter binding without extended master secret",
              "The tls-server-end-point binding uses the hash of the certificate's signature"]}),
        ("The server's offer was changed on the way", "XEP-0474", "ends the log-in where the server's hash over its offer is wrong.",
         {AUTHENTICATION: [ABORTED, "Downgrade hash: right, it goes on"],
          "JackdawProtocolTests/SASL/SCRAMVectorTests.swift": ["XEP-0474's example: the hash over an offer"]}),
        ("A server that cannot prove that it knows the password", "RFC 5802 5.1",
         "ends the connection where the signature is missing, wrong, cut or too early.", {AUTHENTICATION: [ABORTED]}),
        ("The signature comes in a challenge", "RFC 6120 6.4.6", "verifies it there.",
         {AUTHENTICATION: [ABORTED, "Signature in a challenge, then an empty success"]}),
        ("A nonce that is not built on ours", "RFC 5802 5.1", "ends the log-in.",
         {"JackdawProtocolTests/SASL/SCRAMServerMessageTests.swift": ["A first message that is not is refused"],
          AUTHENTICATION: [ABORTED]}),
        ("Too few or too many iterations", "RFC 7677 4", "takes 4,096 to 1,000,000, written as plain decimal numbers.",
         {"JackdawProtocolTests/SASL/SCRAMServerMessageTests.swift": ["A first message that is as it should be is taken",
                                                                      "A first message that is not is refused"],
          "ProgramTests/PasswordDemandProgramTests.swift": [
              "is not more work than a log-in may be, and none that gives the password away",
              "is work that ends with the program, and with the connection that it was for"]}),
        ("Malformed SASL", "RFC 5802 7", "ends the log-in: at anything outside the syntax, beyond 64 kB, at a second challenge.",
         {AUTHENTICATION: [ABORTED],
          "JackdawProtocolTests/SASL/SCRAMServerMessageTests.swift": [
              "Bytes that are not UTF-8, and NUL, are refused", "Final messages: a signature, an error, or refused"]}),
        ("Names and passwords with special characters", "RFC 5802 5.1, RFC 4013",
         "escapes commas and equals signs, prepares passwords, and refuses prohibited characters without repeating the password.",
         {"JackdawProtocolTests/SASL/SCRAMVectorTests.swift": ["Names: a comma and an equals sign in a user name are escaped"],
          "JackdawProtocolTests/Addresses/SASLprepTests.swift": ["A text is prepared by SASLprep", "A prohibited character is refused",
                                                                 "The error says nothing of the password"]}),
        ("Control characters in the server's words on a failure", "",
         "keeps them apart from its own sentence, cuts them, and spells them out.",
         {AUTHENTICATION: ["Failures are told for what they are"],
          "JackdawTerminalTests/Output/TableTests.swift": ["At the prompt failures and notices are escaped like other lines",
                                                           "Failures and notices are for stderr, without escape"]}),
        ("Failures that last, and failures that pass", "RFC 6120 6.4.5",
         "tries a log-in with a wrong password once; after what may pass it waits 2 s, then twice as long each time, up to 64 s.",
         {AUTHENTICATION: ["Failures are told for what they are"],
          "JackdawSessionTests/Session/LiveSessionTests.swift": ["a wrong password ends the session"],
          "JackdawSessionTests/Connection/ConnectionKeeperRetryingTests.swift": ["waits twice as long each time, up to 64 s"]}),
        ("A password on the command line", "CWE-214", "has no option that takes one.",
         {"JackdawCommandsTests/Table/CommandLineTests.swift": ["never hold a password: there is no option for one"]}),
        ("A password on the screen or in the history", "CWE-549",
         "asks without echo, and keeps no line in the history that gives a password.",
         {"JackdawTerminalTests/Prompt/PromptEndingTests.swift": [
             "A password is asked without echo, and the line comes back",
             "What was typed of a password that is no longer asked for is not left to the prompt"],
          "JackdawTerminalTests/Prompt/PromptEditingTests.swift": [
              "Passwords and lines that begin with a space are not in the history"],
          "JackdawCommandsTests/Run/LineTests.swift": ["that gives a password stays out of the history: secret hygiene"],
          "ProgramTests/AccountLifeTests.swift": ["on a terminal, where nothing secret is seen"],
          "ProgramTests/CompletionProgramTests.swift": ["goes into the history, but for stanzas with a password"]}),
        ("A password in the log of what goes over the wire", "CWE-532",
         "leaves out what SASL and account forms hold, and the passwords of rooms.",
         {"JackdawSessionTests/Session/StreamLogTests.swift": [
             "The log shows no secret of the log-in", "the passwords of rooms are shown neither way, and all else around them is"],
          "ProgramTests/AccountLifeTests.swift": ["no password is in the log of what goes over the wire"]}),
        ("A password in a core dump", "CWE-528", "keeps its memory out of dumps.",
         {"JackdawLoopTests/ProcessMemoryTests.swift": ["is not dumped"],
          "ProgramTests/ForeignHandsProgramTests.swift": [
              "of the same user read nothing of what it holds: its memory belongs to nobody"]}),
        ("A password file, a configuration or a program that others can read or change", "CWE-732",
         "refuses them with the reason, and runs the program that gives the password without a shell.",
         {"JackdawCommandsTests/Accounts/PasswordReaderTests.swift": [
             "is not taken from a file that others can read", "is the first line that a program prints, run without a shell"],
          "JackdawCommandsTests/Accounts/ConfigurationFileTests.swift": [
              "refuses to read a password that others can read", "runs no program that others may have written into it"],
          "ProgramTests/ForeignHandsProgramTests.swift": ["have no program run by a configuration that they can change"]}),
        ("Making an account without TLS", "XEP-0077", "asks for nothing and tells nothing before TLS is verified.",
         {"JackdawProtocolTests/Stream/RegistrationTests.swift": [
             "Without TLS nothing is asked, let alone told", "The gate: nothing but the two answers may come, and from nobody else"]}),
    ],
    "The stream": [
        ("Two programs that throw each other out", "RFC 6120 4.9.3.3",
         "does not reconnect by itself after conflict, but for once within a minute of a log-in.",
         {"JackdawSessionTests/Session/ResumingLoginTests.swift": [
             "the first conflict within a minute of a log-in is retried, and the next one ends it",
             "a conflict on a connection that has stood for a minute ends it"],
          "ProgramTests/ThrownOutTests.swift": [
              "while its message is on its way says that it may be tried again, and the next run sends it"]}),
        ("Stream errors", "RFC 6120 4.9.3",
         "reconnects after those that may pass, with waits that grow and are shortened at random; ends after the others.",
         {ENDING: ["Each stream error of RFC 6120 4.9.3"],
          "JackdawSessionTests/Connection/ConnectionKeeperRetryingTests.swift": [
              "shortens each wait by up to a quarter, and says the real one", "begins anew after a minute online, and not before"]}),
        ("The server closes the stream, or does not answer our close", "RFC 6120 4.4",
         "answers the close; on leaving waits no longer than two seconds for the answer.",
         {ENDING: ["Polite close: answered"],
          "JackdawSessionTests/Session/SessionLeavingTests.swift": ["Leaving a silent server takes two seconds"]}),
        ("Something that is not XMPP answers", "", "ends the connection with one sentence.",
         {NEGOTIATION: [
             CLEAR], "JackdawTransportTests/TLS/TLSSessionTests.swift": ["A server that does not speak TLS is reported as that"]}),
        ("A header with a foreign name, or without an id", "RFC 6120 4.7", "takes no name from it.",
         {NEGOTIATION: ["Header: a missing id, a foreign or impossible from, and a higher minor version do no harm"]}),
        ("Features twice, hundreds of them, compression", "RFC 6120 4.3, XEP-0138",
         "ignores what it does not know, and never compresses.",
         {NEGOTIATION: ["Features: optional STARTTLS, foreign features and compression change nothing",
                        "Features twice are ignored while we wait for the consent to TLS"]}),
        ("A resource of another account, or none", "RFC 6120 7.6",
         "refuses it. Requests are known by their id and by who answers.",
         {"JackdawProtocolTests/Stream/BindingTests.swift": [
             "Bind surprises: another account, a malformed address, none: refused",
             "Bind surprises: a wrong id or sender, and what is no answer, leave the request open"]}),
        ("Stanzas before the resource is bound", "RFC 6120 7.1", "drops them, and the log-in completes.",
         {"JackdawProtocolTests/Stream/BindingTests.swift": ["Stanzas before bind: dropped, and the log-in completes"]}),
    ],
    "XML": [
        ("Document types and entities", "RFC 6120 11.1; CVE-2022-0217",
         "ends the stream with restricted-xml at the first characters of a document type.",
         {XML: ["Document types and entities are restricted-xml"]}),
        ("Entities that name files or addresses", "CWE-611", "ends the stream before the name is read.",
         {XML: ["External entities are restricted-xml before their name is read"]}),
        ("Processing instructions and comments", "RFC 6120 11.1", "ends the stream with restricted-xml.",
         {XML: ["Processing instructions and comments are restricted-xml"]}),
        ("XML that is not well-formed", "RFC 6120 4.9.3.13",
         "ends the stream; nothing behind it is read, not even from the same piece. After two streams that ended so, the next such "
         "stanza is left out alone.",
         {XML: ["XML that is not well-formed ends the stream", "After an error nothing is delivered by later calls"],
          "JackdawSessionTests/Session/SessionFailureTests.swift": ["Nothing after a fatal error is delivered"],
          "JackdawSessionTests/Session/LeavingOutTests.swift": [
              "XML that is wrong ends two streams, and is left out at the third time"]}),
        ("Names in foreign namespaces, prefixes without a namespace", "RFC 6120 4.8, 4.9.3.2",
         "matches names with their namespaces, and ends the stream at an unbound prefix.",
         {XML: ["Names are matched with their namespaces", "Unbound prefixes are bad-namespace-prefix"],
          "JackdawSessionTests/Session/SessionFailureTests.swift": ["Elements in other namespaces are not taken for ours"]}),
        ("Bytes that are not UTF-8, and other encodings", "RFC 6120 11.6; CVE-2022-22784, CVE-2022-25235",
         "takes strict UTF-8 alone, whatever the declaration says, and no character that XML forbids.",
         {XML: [
             "Only strict UTF-8 is accepted", "A declaration of another encoding is not obeyed",
             "Byte order marks of UTF-16 are unsupported-encoding", "Characters that XML forbids are not-well-formed"]}),
        ("A stanza within a stanza", "", "takes it for content.", {XML: ["Stanzas within stanzas are not delivered"]}),
        ("Stanzas that are too large", "RFC 6120 13.12",
         "leaves out one of more than 1 MiB, 128 attributes of an element, 1,024 new names or 131,072 parts, and ends the stream at one "
         "of more than 64 MiB; the memory stays bounded.",
         {LIMITS: [
             "A stanza of the greatest size passes, and one byte more does not",
             "The number of attributes is limited, including namespace declarations", "The number of new names in a stanza is limited",
             "Elements, attributes and texts are limited together", "What never ends is cut and takes little memory",
             "Floods of distinct names take no memory"],
          "JackdawXMLTests/LeftOutStanzaTests.swift": ["is left out, and what comes next is there",
                                                       "ends the stream when it does not end in time"]}),
        ("Elements within elements without end", "", "leaves out what is deeper than 256 levels; nothing recurses.",
         {LIMITS: ["The depth of elements is limited"],
          "JackdawXMLTests/ElementTests.swift": ["a very deep element is copied, compared and printed without recursion"]}),
        ("Stanzas cut at any byte", "", "reads the same from all pieces, and delivers no half stanza.",
         {"JackdawXMLTests/DecoderSplittingTests.swift": ["A cut at any byte changes nothing", "Half a stanza is never delivered"],
          "JackdawXMLTests/LeftOutStanzaTests.swift": ["is the same whatever way it comes cut"]}),
        ("What the user types or pipes is no XML, or would be more XML", "CWE-91",
         "refuses before sending what XML cannot carry, and escapes everything else.",
         {"JackdawXMLTests/StanzaWriterTests.swift": [
             "Everything that needs it is escaped", "What XML cannot carry is refused, and the output is unchanged"],
          "JackdawCommandsTests/Commands/SendTests.swift": ["refuses what XML cannot carry, before it connects: outgoing"]}),
    ],
    "Requests and their answers": [
        ("Somebody else answers our request", "RFC 6120 8.2.3; CVE-2013-6483, CVE-2024-46957",
         "takes an answer only from whom it asked; the ids of requests carry 89 random bits. Those of messages to people carry 78, behind the "
         "millisecond at which they were written; those of messages in rooms say nothing of the time.",
         {"JackdawSessionTests/Requests/IQTrackerAnswerTests.swift": [
             "reply spoofing: an answer from someone else is dropped and counted, and the true one still arrives",
             "reply spoofing: the right id in anything but a result or error is no answer", "who may answer a request"],
          "JackdawSessionTests/Requests/IQTrackerTests.swift": [
              "ids cannot be guessed: 15 characters that carry every one of 89 random bits",
              "ids of messages sort by the time, begin with a letter, and carry every one of 78 random bits"],
          ROUTER: ["A forged answer is dropped, and the true one still arrives"]}),
        ("Second and late answers", "RFC 6120 8.2.3", "ignores them.",
         {"JackdawSessionTests/Requests/IQTrackerTests.swift": [
             "duplicates: the second answer to a request is dropped",
             "a timed-out entry does not stay, and a late answer does not fire again"]}),
        ("Requests that must be answered, and answers that must not", "RFC 6120 8.2.3, 8.4",
         "answers requests, malformed ones with an error, and never a result or an error.",
         {ROUTER: [
             "An unknown request is answered with service-unavailable", "A request without exactly one child is answered with bad-request",
             "An IQ of an unknown type is answered with bad-request", "An IQ result or error is never answered"]}),
        ("Questions that tell whether one is there", "XEP-0012, 0092, 0199, 0202",
         "answers people who may not see our presence as a server does for somebody who is not there; the version goes without "
         "the system, and idleness only where somebody sits at a prompt.",
         {ROUTER: ["A stranger's request is answered as if nobody were there"],
          "JackdawSessionTests/Features/SmallAnswersTests.swift": [
              "Presence leak: the time is told only to those who see our presence",
              "Presence leak: idleness is told only to those who see our presence", "Our version is told without the operating system",
              "Idleness is not told by a program without a user, nor when the user does not want it"],
          "ProgramTests/StrangersQuestionsTests.swift": [
              "show nobody there, and those that are answered are acknowledged, so that a message still goes out"]}),
        ("Remote control, and offers of files", "XEP-0146, 0066, 0095, 0234; CVE-2016-10376",
         "knows no such request, and answers it as any unknown one, with service-unavailable.",
         {ROUTER: ["An unknown request is answered with service-unavailable"]}),
        ("A flood of requests", "XEP-0205",
         "answers 5,000 and stays connected; answers to strangers stop before they take the room of what the user says.",
         {ROUTER: ["Five thousand pings are all answered"],
          "JackdawSessionTests/Session/AnswerFloodTests.swift": [
              "to strangers stop before they take the room of what the user says, and go on when the server has them"]}),
        ("Private data in a node that others can read", "XEP-0223; CVE-2018-6591",
         "publishes private data only where the server promises to keep it private, and to a node that is set so. (Jackdaw stores none "
         "yet.)",
         {"JackdawSessionTests/Features/PubSubTests.swift": [
             "Private data is not published where the server cannot keep it private",
             "Nothing is published to a node that cannot be reconfigured"]}),
    ],
    "Contact list and presence": [
        ("Somebody else changes the contact list or the block list",
         "RFC 6121 2.1.6, XEP-0191; CVE-2015-8688, CVE-2016-9928, CVE-2019-16236",
         "takes changes from the own account alone, and refuses those of look-alikes and of own devices.",
         {"JackdawSessionTests/Friends/RosterPushTests.swift": ["A push from anybody but our account changes nothing"],
          "JackdawSessionTests/Features/BlockingTests.swift": ["A forged push is refused and changes nothing"]}),
        ("A malformed change of the contact list", "RFC 6121 2.1.5", "answers bad-request, and changes nothing.",
         {"JackdawSessionTests/Friends/RosterPushTests.swift": ["A malformed push is answered with bad-request"]}),
        ("A true change of the contact list", "RFC 6121 2.1.6", "applies and answers it.",
         {"JackdawSessionTests/Friends/RosterPushTests.swift": ["A push is applied and answered"],
          "JackdawSessionTests/Friends/RosterSizeTests.swift": ["Ten thousand pushes are applied one by one"]}),
        ("Requests of friendship from strangers, and floods of them", "RFC 6121 3, XEP-0379",
         "grants none by itself, keeps 10,000 with 512 bytes of words each, tells of many in a few lines, and says nothing to who asks.",
         {"JackdawSessionTests/Friends/RequesterCardTests.swift": ["No vCard is requested unless it is wanted"],
          "JackdawSessionTests/Friends/FriendRequestedTests.swift": [
              "A stranger's request is not granted by itself", "A repeated request is reported once",
              "Subscription presence that nobody asked for changes nothing", "A flood of requests is one event each, and bounded",
              "A requester who asks and withdraws again and again is reported once"],
          "JackdawTerminalTests/Output/EventLinesTests.swift": [
              "A long flood of requests is a few lines, and the last one has the total"],
          "ProgramTests/RequestFloodTests.swift": [
              "leaves the prompt alive, the list usable and the memory bounded; all can be refused at once"]}),
        ("Malformed presence", "RFC 6121 4.7", "reads it as far as it goes; a status is cut to 1,024 characters.",
         {ROUTER: ["Malformed presence is read as far as possible"],
          "JackdawProtocolTests/Stanzas/PresenceTests.swift": [
              "A malformed priority is read as zero", "Presence of an unknown type or with an invalid address is refused"]}),
        ("A flood of presence", "XEP-0205", "takes in 20,000, and answers the ping behind them; the prompt shows one line.",
         {"JackdawSessionTests/Presence/PresenceBoardTests.swift": [
             "twenty thousand presences are processed, and the ping behind them is answered", "the resources of one contact are bounded"],
          "JackdawTerminalTests/Output/EventLinesTests.swift": ["A flood of presence is one line and bounded work"]}),
        ("A false hash of what a client can do", "XEP-0115",
         "keeps an answer only where it gives the hash, and believes none that only looks as if.",
         {"JackdawSessionTests/Features/CapabilityHashTests.swift": [
             "Hashes of every algorithm are verified", "Caps poisoning: another answer that makes the same text does not match"],
          "JackdawSessionTests/Features/CapabilityCacheTests.swift": [
              "Only information that matches its hash is stored",
              "Caps poisoning: information in the store that does not match its hash is not used"],
          "JackdawSessionTests/Features/EntityCapabilitiesTests.swift": [
              "Caps poisoning: an answer that does not match its hash does not get into the cache"]}),
    ],
    "Copies, archive and ids": [
        ("Forged copies of messages", "XEP-0280; CVE-2017-5589 and its kind, CVE-2019-16235",
         "takes copies from the own account alone, neither from its devices nor from the server.",
         {"JackdawSessionTests/Features/MessageCarbonsTests.swift": ["a carbon from anybody but our account is dropped and counted"],
          "ProgramTests/CarbonProgramTests.swift": ["that somebody else makes up are not shown"]}),
        ("Copies within copies, two in one, empty ones", "XEP-0297", "ignores them.",
         {"JackdawSessionTests/Features/MessageCarbonsTests.swift": ["a malformed carbon is dropped and counted"],
          "JackdawSessionTests/Features/Archive/MessageArchiveTests.swift": ["Only one level of forwarding is unwrapped"]}),
        ("A forwarded message that is no copy", "XEP-0297", "shows nothing of it as its inner sender's.",
         {"JackdawSessionTests/Features/MessageCarbonsTests.swift": ["a forwarded message that is not a carbon is not unwrapped"],
          "JackdawSessionTests/Chat/ChatTests.swift": ["A message of these types, or without a body, is not displayed"]}),
        ("Forged results of the archive", "XEP-0313; CVE-2019-16237",
         "takes a result only for an open query, with its id, from the archive that was asked.",
         {"JackdawSessionTests/Features/Archive/MessageArchiveTests.swift": [
             "A result from anybody but our account is dropped and counted", "A result of no open query is dropped as a whole",
             "Results beyond the number asked for are refused"]}),
        ("An archive that never ends", "XEP-0059", "stops where no page brings progress.",
         {"JackdawSessionTests/Features/Archive/ArchiveWalkTests.swift": ["A walk without progress stops",
                                                                          "A walk over messages that cannot be read ends too"]}),
        ("Ids that a sender claims in the archive's name", "XEP-0359",
         "trusts the id that the own account gave, where the server vouches for it, and lets no id hide another message.",
         {"JackdawSessionTests/Features/Archive/StanzaIDsTests.swift": [
             "The stanza ID that our account assigned counts",
             "No stanza ID counts where the server does not announce that it removes forged ones"],
          "JackdawStoreTests/MessageTableTests.swift": ["an ID that is used again by another message hides neither",
                                                        "a claimed archive ID does not hide the archive's own message"]}),
        ("Times that are forged or impossible", "XEP-0203; CVE-2013-6477",
         "believes stamps of the own server and account alone, takes one from the future for now, and none on what has just been said.",
         {"JackdawSessionTests/Features/DelayedDeliveryTests.swift": [
             "A delay stamped by anybody else is ignored", "A stamp that is not a time is ignored",
             "A stamp in the future is clamped to now", "Of several stamps the server's own is believed",
             "The server's stamp counts within a minute after the log-in, and a later one is ignored"],
          "JackdawProtocolTests/Stanzas/TimestampTests.swift": ["An impossible timestamp (XEP-0082) is refused"]}),
    ],
    "Messages": [
        ("Somebody corrects or takes back what another one said", "XEP-0308, XEP-0424; CVE-2022-39835",
         "shows a correction as a message of its own, takes nothing back, and removes no text, in rooms neither.",
         {"JackdawStoreTests/RelationTests.swift": [
             "by somebody else, of what is not there, or long after, change nothing: a correction is a message then",
             "in a room remove what their senders said, or what the room takes back, and nothing of anybody else"],
          "JackdawStoreTests/RoomRelationTests.swift": [
             "what somebody else said before under the same nick is neither corrected nor taken back, nor removed"]}),
        ("Errors about messages, true and forged", "RFC 6120 8.3.1",
         "takes them from whom the message went to or from servers on its way, shows them with that message, and never answers.",
         {"JackdawSessionTests/Chat/ChatTests.swift": [
             "A bounce counts if it comes from the recipient, its server or ours", "A bounce from anybody else is ignored",
             "A bounce without a reason fails the message, and a second bounce changes nothing"],
          ROUTER: ["An IQ result or error is never answered"]}),
        ("No sender, an odd one, an unknown type", "RFC 7622, RFC 6120 8.1.2.1",
         "drops what has a malformed address, and reads the rest as the RFC says.",
         {ROUTER: ["A message with a malformed address is dropped", "A message without a sender comes from our own account",
                   "A message of an unknown type is a normal one"],
          "JackdawProtocolTests/Addresses/JIDHostileTests.swift": [
              "an invalid address is refused with its reason",
              "no sequence of characters crashes the parser, and what it reads is written the same"]}),
        ("Messages of rooms that nobody joined", "XEP-0045", "does not show them.",
         {"JackdawSessionTests/Chat/ChatTests.swift": ["A message of these types, or without a body, is not displayed"]}),
        ("Bookmarks that others send in the own account's name, or that never end", "XEP-0402; CVE-2023-28686",
         "takes them from the own account alone, leaves out what is none, and removes no room for what it did not read.",
         {"JackdawSessionTests/Features/Rooms/RoomBookmarksTests.swift": [
             "are nobody else's to change", "beyond what is read of them remove none of those that were known"],
          "JackdawSessionTests/Features/Rooms/RoomRecordBookmarkTests.swift": ["that is not as it has to be is none"]}),
        ("Lists of rooms, members and services that never end, go in circles, or are none", "XEP-0045 6.3, XEP-0059",
         "reads a bounded part of them, and asks a bounded number of rooms what they are.",
         {"JackdawSessionTests/Features/Rooms/RoomSearchTests.swift": [
             "of a list that goes in circles, or never ends, comes to an end", "of words that no name has asks a bounded number of rooms",
             "of a service that lists thousands asks a bounded number", "takes no answer that is none"],
          "JackdawSessionTests/Features/Rooms/RoomAdministrationTests.swift": [
              "reads of a list that never ends as much as it can hold", "takes no list that is none"]}),
        ("Answers and errors in the name of a room", "XEP-0045",
         "takes them from the room that was asked alone.",
         {"JackdawSessionTests/Features/Rooms/RoomAdministrationTests.swift": ["takes no word of anybody but the room"],
          "JackdawSessionTests/Features/Rooms/RoomInvitationsTests.swift": ["is refused by nobody but the room"]}),
        ("A text that looks like a line of the program", "XEP-0245", "shows actions and remarks by signs of their own.",
         {"JackdawTerminalTests/Output/MessageLinesTests.swift": ["A message cannot look like a line of the program"]}),
        ("Events that others send in the own account's name", "XEP-0223; CVE-2023-28686",
         "takes events of private nodes from the own account alone.",
         {"JackdawSessionTests/Features/PersonalEventsTests.swift": [
             "Bookmark injection: an event counts only from the owner of the node", "A flood of items is cut"]}),
        ("Somebody else's word that a message was read", "XEP-0490 7",
         "takes it from the own account alone and for a message of that conversation. Nothing becomes unread by it, and marks that wait "
         "for their messages are bounded.",
         {"JackdawSessionTests/Features/DisplayedSyncTests.swift": ["is nobody else's to say"],
          "JackdawSessionTests/Features/DisplayedMarkTests.swift": ["that is not as it has to be is none"],
          "JackdawStoreTests/ReadMarksTests.swift": [
              "count in the conversation of their message alone", "that wait are bounded, and the oldest go first"]}),
        ("Texts that a shell would run", "CWE-78", "starts programs by their words, without a shell; messages go to their stdin.",
         {"JackdawCommandsTests/Commands/ListenTests.swift": ["never gives what a stranger wrote to a shell: editor hooks",
             "gives what a stranger wrote to the program's standard input, as it is"],
          "JackdawLoopTests/ChildProcessTests.swift": ["the arguments of a child process are not interpreted by a shell"]}),
        ("A flood of messages", "XEP-0205", "takes in 10,000, and answers the ping behind them; keys are seen meanwhile.",
         {"JackdawSessionTests/Chat/ChatTests.swift": ["Ten thousand messages arrive in their order"],
          "ProgramTests/OneThreadTests.swift": ["a flood of messages does not delay a key"]}),
    ],
    "Messages neither lost nor shown twice": [
        ("The program is killed, the connection is cut, the server restarts", "XEP-0198, XEP-0313",
         "has a message on the disk before it is on the wire, and acknowledges one when it is on the disk; goes on with the stream, "
         "or reads the archive.",
         {"JackdawSessionTests/Chat/ChatStoreTests.swift": ["A message is in the store before it is on the wire",
                                                            "An incoming message is stored before it is acknowledged, and displayed once"],
          "JackdawSessionTests/Chat/ArrivalTests.swift": [
              "are acknowledged when they are kept and not before, with one answer to all questions until then"],
          "ProgramTests/OutboxProgramTests.swift": [
              "a listener that was killed goes on with its stream",
              "what came while server and listener were gone is read from the archive",
              "the prompt takes messages without a server, and the next run sends them",
              "a database that is replaced takes no message with it"],
          "ProgramTests/HeldProgramTests.swift": ["is on the disk, and told in its place by the next run"],
          "ProgramTests/ClusterTests.swift": ["of which one goes takes its clients to the other, and no message is lost or doubled"]}),
        ("Leaving, filtering or a kill before a message was shown", "", "shows it at the next run, each once and in order.",
         {"ProgramTests/UnreadProgramTests.swift": [
             "because one left while the other side wrote is shown by the next run, with all else exactly once and in order",
             "as it was filtered out, beyond the count, or in a quiet script is shown by the next run",
             "is handed to the next run of a program that was killed before it had it"]}),
        ("More missed messages than a page, a thousand or ten thousand", "XEP-0313", "reads the archive to its end.",
         {"ProgramTests/LongArchiveProgramTests.swift": ["is read to its end: of more than 10,000 missed messages none is skipped"]}),
        ("Two messages alike", "XEP-0359", "shows both, and one that was sent again once.",
         {"ProgramTests/AlikeMessagesProgramTests.swift": [
             "that come late, as a server without an archive kept them, are both shown",
             "with one origin id are both shown where the archive tells them apart"],
          "JackdawStoreTests/MessageTableTests.swift": ["a message that the sender sent twice is stored once"]}),
        ("A message for the wrong person", "", "sends no line to the one before after a command that may have meant somebody else.",
         {"ProgramTests/WrongPersonTests.swift": [
             "a script with --keep-going sends nothing to the one before after a `/to` that failed, or a line that may be one",
             "at the prompt, the server down, `/to` fails at once, and the line behind it is put back and sent to nobody"]}),
        ("A script or command that cannot know whether the server has a message", "",
         "ends with an exit code other than 0, and says what is open.",
         {"JackdawCommandsTests/Run/ScriptEndTests.swift": [
             "whose message was refused does not end well",
             "whose connection breaks before the end of the last message was confirmed says so"],
          "ProgramTests/BadInputTests.swift": ["a connection that ends or falls silent wherever it may"]}),
    ],
    "Terminal, pipes and files": [
        ("Escape sequences", "XML 1.0; CVE-2003-0063, CVE-2008-2383, CVE-2022-45063",
         "ends the stream at a raw ESC, and spells out every control character in whatever it prints.",
         {XML: ["Characters that XML forbids are not-well-formed"], ESCAPER: ["ESC and other C0 controls are spelled out"]}),
        ("C1 controls, which XML allows", "ECMA-48; CVE-2003-0063",
         "spells them out in texts, names, addresses, the prompt and JSON.",
         {ESCAPER: ["Every C1 control is spelled out in text, names and addresses",
                    "No scalar passes that moves the cursor, hides or reorders"],
          "JackdawTerminalTests/Prompt/PromptLineTests.swift": [
              "The prompt names the conversation, its presence and what is wrong"],
          "JackdawSessionTests/Events/JSONLineEncoderTests.swift": [
              "C1 controls U+0080–9F are legal XML: no such character reaches the line, a parser gives back every one"],
          "ProgramTests/VCardProgramTests.swift": ["hold nothing that a terminal obeys"]}),
        ("Text that is shown in another order than it is in", "CVE-2021-42574", "spells out all bidirectional controls.",
         {ESCAPER: ["CVE-2021-42574: no bidi control passes"]}),
        ("Invisible characters", "", "spells them out; joiners stay within emoji and letters, and in names they do not.",
         {ESCAPER: ["Invisible characters are spelled out", "Joiners and selectors outside of emoji are spelled out",
                    "Names keep no joiner, no selector and no odd space"]}),
        ("Addresses that look like others", "RFC 7622, UTS 39",
         "refuses what PRECIS forbids in a name and a domain, spells out parts that mix scripts, and says who is not a friend.",
         {"JackdawProtocolTests/Addresses/JIDHostileTests.swift": ["an invalid address is refused with its reason"],
          ESCAPER: ["UTS 39: a part that mixes scripts is spelled out"],
          "JackdawTerminalTests/Output/MessageLinesTests.swift": [
              "An address of mixed scripts is spelled out, with a warning",
              "A stranger is announced once, and their bare address is shown"]}),
        ("Thousands of marks on a letter", "", "shows eight.",
         {ESCAPER: ["Marks are capped on each letter, and the loss is shown"]}),
        ("Carriage return, backspace, tab", "", "spells them out; a tab becomes spaces.",
         {ESCAPER: ["CR, BS and DEL are spelled out and TAB becomes spaces"]}),
        ("A text that forges further lines", "CWE-117", "marks and indents each further line, in messages, tables, failures and names.",
         {"JackdawTerminalTests/Output/MessageLinesTests.swift": [
             "CWE-117: no text makes one message look like two", "A name cannot leave its line, whatever is in it"],
          "JackdawTerminalTests/Output/TableTests.swift": ["A newline in a cell begins no row of a table",
                                                           "Failures and notices are for stderr, without escape"]}),
        ("Wide characters that shift the prompt", "",
         "counts the columns of wide, joined and combining characters, and edits them where they are seen.",
         {"JackdawTerminalTests/Layout/WidthTests.swift": ["The width of text is the most that a terminal uses for it"],
          "JackdawTerminalTests/Prompt/PromptEditingTests.swift": ["Wide characters and emoji are edited where they are seen"]}),
        ("Controls in what is pasted", "", "inserts a paste as text: no character of it is a key.",
         {"JackdawTerminalTests/Prompt/PromptInputTests.swift": ["A paste is text: newlines are kept, controls are not"],
          "JackdawTerminalTests/Prompt/PromptTests.swift": ["Pasted controls are not keys"]}),
        ("The history file", "CWE-732", "makes it readable for the user alone, follows no link, and keeps 1,000 entries.",
         {"JackdawTerminalTests/Prompt/HistoryFileTests.swift": [
             "Only the user can read the file, whatever the umask", "A file that others can read is closed to them",
             "No symbolic link is followed", "A file that is far beyond its limit is cut to the last entries"]}),
        ("Files and folders that others can read", "CWE-732",
         "makes configuration, database and its logs with mode 0600 in folders of mode 0700, whatever the umask. Where everybody on the "
         "machine may write in the folder of the database, and so exchange it, that is told.",
         {"JackdawStoreTests/DatabaseFileTests.swift": ["Files and folders are private from the first moment, whatever the umask",
                                                        "An existing file is made private"],
          "JackdawStoreTests/AccountStoreTests.swift": [
              "the database file is private, and so are its journals",
              "that others can exchange the database, as its folder is open to them, is told once"],
          "JackdawCommandsTests/Accounts/ConfigurationFileTests.swift": [
              "begins one, for nobody else to read: permissions (CWE-732)"]}),
        ("A link in place of the database", "CWE-59", "refuses it, also one that is put there after it looked.",
         {"JackdawStoreTests/DatabaseFileTests.swift": [
             "Symbolic links are refused", "A symbolic link that is made after the check is refused by SQLite",
             "A folder in the database's place and a file of another user are refused"]}),
        ("An address that is a path", "CWE-22", "percent-encodes in a file's name what a path or a shell takes for special.",
         {"JackdawStoreTests/DatabaseFileTests.swift": [
             "Path traversal: no address leads out of the folder", "A file name is short however long the address"]}),
        ("SQL in texts", "CWE-89", "binds them as parameters.", {"JackdawStoreTests/DatabaseTests.swift": [
            "Text is the same when it is stored and read"]}),
        ("Formulas in exported contact lists", "CWE-1236", "writes them so that a spreadsheet takes them for text.",
         {"JackdawCommandsTests/Contacts/ContactFormatTests.swift": [
             "in CSV run no formula in a spreadsheet, and are read back as they were: CWE-1236"],
          "ProgramTests/FriendsFileTests.swift": [
              "a name in a file or a link that misleads is refused, and one that a spreadsheet would run is text"]}),
    ],
    "Faults": [
        ("The connection ends at any step", "",
         "ends a command with one sentence and an exit code; the prompt waits, then tries again.",
         {"JackdawSessionTests/Session/SessionFailureTests.swift": ["A connection that ends at any phase is one error, and may be retried"],
          "ProgramTests/BadInputTests.swift": ["a connection that ends or falls silent wherever it may"],
          "ProgramTests/FaultyLineTests.swift": ["that breaks at whatever step of the log-in is tried again, after a wait"]}),
        ("Silence at any step", "", "ends the log-in at its deadline, 30 s if nothing else is said.",
         {"JackdawSessionTests/Session/SessionFailureTests.swift": ["A server that is silent at any phase of the log-in times out",
                                                                    "A network that is silent during the connection attempt times out"],
          "ProgramTests/BadInputTests.swift": ["a server that stands still does not stop us"]}),
        ("A connection whose other end is gone", "RFC 6120 4.6, XEP-0199",
         "asks after a minute of silence, and gives it 15 s; a dead one is found within 150 s while the user is away.",
         {"JackdawSessionTests/Connection/ConnectionKeeperLivenessTests.swift": [
             "half-open: a server that does not answer in 15 s is gone",
             "the heartbeat is slower while the user is away, and a dead link is found within 150 s all the same"],
          "JackdawSessionTests/Session/LiveLinkTests.swift": ["A silent connection is pinged, and dropped without an answer"],
          "ProgramTests/FaultyLineTests.swift": ["that is reset or closed on one side only comes back"]}),
        ("A server that reads nothing", "", "holds a bounded number of bytes for it; the prompt goes on, and nothing is lost.",
         {"JackdawSessionTests/Session/SessionFailureTests.swift": ["A server that reads nothing cannot fill our memory"],
          "ProgramTests/ZeroWindowTests.swift": ["takes no more memory than what waits, and nothing is lost",
                                                 "leaves the prompt alive, and every message goes in the end"]}),
        ("A server that counts wrong", "XEP-0198 4", "says so to it, leaves it, and goes on with nothing of that stream.",
         {"JackdawProtocolTests/StreamManagement/StreamManagementTests.swift": [
             "Both counters go round at 2^32", "More than was sent, less than before, and what is no number"],
          "JackdawSessionTests/Session/StreamManagementTests.swift": [
              "A server that counts wrongly gets a stream error and is disconnected"]}),
        ("A stream that is resumed", "XEP-0198 5",
         "sends what was lost once with its id and nothing that arrived, and takes no answer for another stream.",
         {"JackdawSessionTests/Session/ResumptionTests.swift": [
             "a message that was lost is sent again once, with its ID", "a message that arrived before the cut is not sent again",
             "a server that claims to have handled more than was sent is disconnected"],
          "JackdawProtocolTests/Stream/ResumingTests.swift": [
              "Another stream than the one asked for, none at all, and a count that is none: fatal",
              "Stanzas before the answer do not pass"]}),
        ("The machine sleeps, the program is stopped", "",
         "holds no deadline that it slept through against the server, and asks the server on waking.",
         {"JackdawSessionTests/Connection/ConnectionKeeperLivenessTests.swift": [
             "clock jump, suspend: a deadline that we slept through is not held against the server"],
          "JackdawSessionTests/Session/LiveLinkTests.swift": ["After the machine woke up the connection is checked at once"],
          "ProgramTests/FaultyLineTests.swift": [
              "that died while the program was stopped is found dead by the question at its return"]}),
        ("Signals in the middle of a system call", "", "tries the call again; a hundred changes of the window's size change nothing.",
         {"JackdawLoopTests/SignalWatchTests.swift": ["System calls that a signal interrupts are retried"],
          "JackdawTerminalTests/Prompt/PromptEndingTests.swift": ["A hundred SIGWINCH leave the line as it is"]}),
        ("Nobody reads stdout any more, or the socket is gone", "", "dies of no SIGPIPE, and ends quietly with exit code 74.",
         {"JackdawLoopTests/SignalWatchTests.swift": ["Writing to a pipe without a reader is an error and raises no signal"],
          "JackdawTransportTests/Connection/TransportFlowTests.swift": ["writing to a closed socket raises no signal"],
          "ProgramTests/BadInputTests.swift": ["stdout that nobody reads: a quiet end, and no success"]}),
        ("Input that ends in the middle of a line", "", "runs the half line, and confirms all messages before it ends well.",
         {"ProgramTests/BadInputTests.swift": ["stdin that ends in the middle of a line: the half line counts"],
          "JackdawCommandsTests/Run/PromptRunnerTests.swift": ["that is left confirms its last messages: stdin EOF"]}),
        ("The terminal is gone", "", "ends within two seconds.",
         {"JackdawTerminalTests/Prompt/PromptEndingTests.swift": ["A terminal that is gone ends the prompt"],
          "JackdawCommandsTests/Run/PromptRunnerTests.swift": [
              "is gone within two seconds when its terminal is: terminal gone"]}),
        ("A full disk; a database that is locked, damaged, read-only or of the future", "",
         "lets the conversation go on with one warning; a damaged database is set aside and never deleted.",
         {"ProgramTests/DamagedStoreTests.swift": ["does not stop a conversation", "that is locked does not stop a conversation",
                                                  "makes a single command no less truthful"],
          "ProgramTests/FullDiskTests.swift": ["that fills up in mid-conversation is told of once, and used again when there is room",
                                               "loses no message that waits in the outbox, whatever is killed"],
          "JackdawStoreTests/AccountStoreTests.swift": ["a corrupt database is put aside and never deleted",
                                                        "a database with a newer schema stays untouched, and the store is in memory"]}),
        ("Two programs of one account", "", "gives each a resource of its own; both use one database and show what comes.",
         {"ProgramTests/SideBySideTests.swift": ["two Jackdaws of one account share a database and not a resource"]}),
        ("A thousand reconnects", "", "leave neither descriptors nor timers behind.",
         {"JackdawTransportTests/Connecting/ReconnectTests.swift": ["A thousand TLS connections leave no descriptor open"],
          "JackdawSessionTests/Session/LiveLinkTests.swift": ["A thousand reconnects leave nothing behind"],
          "ProgramTests/SideBySideTests.swift": ["coming back again and again takes no more descriptors"]}),
    ],
    "Strangers and their budgets": [
        ("A stanza that is well-formed and beyond a limit, again at each log-in", "XEP-0198, XEP-0313",
         "leaves it out, counts it as handled, says so once, and goes on; what ends the stream does so twice at most.",
         {"JackdawSessionTests/Session/LeavingOutTests.swift": [
             "A stanza that is left out counts as handled, and is told once with its sender",
             "Whoever sends much that is left out does not fill the screen",
             "A message of the archive that is left out is stepped over, once and for all",
             "An archive over which two streams ended is not read any more"],
          "ProgramTests/PoisonStanzaTests.swift": ["costs itself alone, online and offline, and does not come again",
                                                   "in a vCard that was asked for costs the answer alone",
                                                   "and ends the stream does so twice"]}),
        ("A pattern that backtracks over a stranger's text", "CWE-1333",
         "takes time that grows no faster than the text, of which it looks at 64 kB.",
         {"JackdawCommandsTests/Commands/TextPatternTests.swift": [
             "takes no time that grows faster than the text: a backtracking engine would not be back today",
             "is looked for in the first 64 kB"],
          "ProgramTests/HostilePatternProgramTests.swift": ["stops neither what else is waited for, nor a signal"]}),
        ("A text made to take long to lay out", "CWE-407",
         "does work that grows no faster than the text, in every field; the prompt shows 50 rows of it.",
         {"JackdawTerminalTests/Output/GrowthTests.swift": ["in each field, whatever it is made of"],
          "ProgramTests/LongTextProgramTests.swift": ["is folded at the prompt, and printed whole by /show"]}),
        ("Requests that keep acknowledgements away", "XEP-0198",
         "asks for an acknowledgement after each hundred stanzas; answers to strangers have 10,000 of 50,000 places.",
         {"JackdawSessionTests/Session/AnswerFloodTests.swift": [
             "are asked about each hundred, though nothing else is said",
             "to strangers stop before they take the room of what the user says, and go on when the server has them",
             "and all else that was never acknowledged hold no message up for longer than that"],
          "ProgramTests/StrangersQuestionsTests.swift": [
              "show nobody there, and those that are answered are acknowledged, so that a message still goes out"]}),
        ("Bait that has the client say something", "RFC 6121 3",
         "sends nothing unasked to who asks to be a friend, not even for their vCard.",
         {"JackdawSessionTests/Friends/RequesterCardTests.swift": [
             "No vCard is requested unless it is wanted", "The vCards requested on one stream are limited"],
          "ProgramTests/StrangersQuestionsTests.swift": [
              "and all that they send bring them nothing back, and to ask for friendship again and again is one notice"],
          "ProgramTests/RequestFloodTests.swift": [
              "leaves the prompt alive, the list usable and the memory bounded; all can be refused at once"]}),
        ("Presence of strangers", "", "does not show it, and keeps that of 1,000 of their clients, beside what friends have, and those to whom the user wrote.",
         {"JackdawSessionTests/Presence/PresenceBoardTests.swift": [
             "strangers are no news, and take no friend's room",
             "strangers to whom we wrote are seen, however many others send presence"],
          "ProgramTests/StrangersPresenceTests.swift": [
              "of any number takes no friend's place and is shown to nobody",
              "is not shown, and of a friend's long status a part is",
              "that they go, what they call themselves and what they have read, of any number, costs no friend theirs"]}),
        ("A contact who announces ever new capabilities", "XEP-0115",
         "looks into eight an hour of one contact and none of a stranger; keeps 16 kB of an answer and 1 MiB in memory.",
         {"JackdawSessionTests/Features/EntityCapabilitiesTests.swift": ["Of one contact only a few new hashes are queried",
                                                                         "Strangers' hashes are not queried"],
          "JackdawSessionTests/Features/CapabilityCacheTests.swift": [
              "Long answers displace nothing from memory", "The size in memory is bounded in bytes"],
          "ProgramTests/CapabilityFloodTests.swift": [
              "is asked for a few of them, fills neither memory nor disk, and keeps nobody waiting"]}),
        ("A disk full of strangers' messages", "",
         "keeps 5,000 messages and 10 MiB of text of all strangers together, for 90 days: the oldest go first, never a contact's, and it "
         "says so once.",
         {"JackdawStoreTests/StrangersTests.swift": [
             "share some room: the oldest go first, and never a contact's", "are counted too, as many small ones take room as well",
             "are a stranger's no more once we have written to them, here or on another device, or they are on the list",
             "are kept for some time only, which the next start sees to",
             "that are removed are no news when the archive gives them once more",
             "of an archive's page, ten times as large as their room, do not make the file as large"],
          "ProgramTests/StrangersMessagesTests.swift": [
              "have their room on the disk: the oldest go, a friend's stay; and nothing stays of an account that is removed"]}),
        ("A disk full of what is said in rooms", "",
         "keeps 256 MiB of text that others say in all rooms together: the oldest go first, within a minute however much comes.",
         {"JackdawStoreTests/RoomQuotaTests.swift": [
             "A room beyond its quota loses the oldest messages, displayed or not",
             "The user's messages and those of people do not count against the quota of rooms",
             "Messages that the user deleted do not count"],
          "JackdawSessionTests/Session/LogUpkeepTests.swift": ["Where messages do not cease upkeep of the log is done within a minute"]}),
        ("What stays of an account that is removed", "CWE-459",
         "deletes it where that is wanted and nobody uses it, and says where it stays.",
         {"JackdawCommandsTests/Commands/AccountTests.swift": [
             "remove deletes what is stored here where that is wanted, and nobody uses it",
             "remove takes one away, and what is remembered of its log-ins"],
          "ProgramTests/StrangersMessagesTests.swift": [
              "have their room on the disk: the oldest go, a friend's stay; and nothing stays of an account that is removed"]}),
        ("Stamps in the server's name", "XEP-0203, XEP-0091",
         "believes the server's own over a sender's, in either form, and none on what comes behind the first answer to a question that it "
         "asked once it was available: what the server kept stands before that. Where nothing was asked, none a minute after the last "
         "message that the server kept, or ten minutes after the log-in.",
         {"JackdawSessionTests/Features/DelayedDeliveryTests.swift": [
             "A legacy stamp in the server's name is believed over no other one",
             "Once a request sent after our presence is answered a stamp is ignored",
             "The answer to a request from before our presence does not end the time of stored messages",
             "Stored messages are expected after the first presence whose priority is not negative",
             "The server's stamp counts within a minute after the log-in, and a later one is ignored",
             "A sender who stamps messages in our server's name is believed for ten minutes at most"],
          "ProgramTests/ForgedStampProgramTests.swift": [
              "is not believed of a message that has just been said",
              "is not believed of a message that the server kept either, which has the server's"]}),
        ("Bots that talk with themselves or with each other", "",
         "hands over and does not answer own messages, servers, headlines and old messages; answers one address 20 times in 10 s at "
         "most, and then not before it was silent for a minute.",
         {"JackdawCommandsTests/Commands/ListenTests.swift": [
             "hands over what nobody waits for an answer to, and does not answer it: a bot that talks with itself",
             "stops answering another program, says so once, and goes on handing over: ping-pong"],
          "JackdawCommandsTests/Commands/WaitingMessagesTests.swift": [
              "holds after 20 answers in 10 s, until there was silence for a minute",
              "counts the answers of the last 10 s, whenever these begin",
              "is said once each time, and lets go after a minute in which nothing was to be answered, and not before"],
          "ProgramTests/BotLoopProgramTests.swift": [
              "does not answer itself", "hands over what a server says, and answers neither that nor an error",
              "stops answering what no person can have written, says so once, and hands all of it over",
              "stops answering another bot, and says so once"]}),
        ("A program that is slow to take messages, an output that nobody reads", "",
         "holds a bounded number of bytes; the rest waits in the log, and signals still end it.",
         {"JackdawCommandsTests/Commands/WaitingMessagesTests.swift": [
             "are held in memory up to a number of bytes, and of one sender up to a share; the rest is in the log"],
          "ProgramTests/BotMemoryProgramTests.swift": ["are in the log, and not in memory"],
          "ProgramTests/BlockedOutputTests.swift": [
              "keeps 'listen' alive, ends it at a signal, and the next one shows what was not out",
              "at a prompt whose terminal is stopped keeps no signal from ending it"]}),
        ("An impostor before TLS is verified", "",
         "takes nothing of it for final at a prompt whose account has been online, and connects to nobody on its word.",
         {"JackdawSessionTests/Session/UnverifiedServerTests.swift": [
             "An account that has been online is tried again, with long waits",
             "A stream that was cut is not given up on the word of an impostor",
             "At the first connection of an account it is final"],
          "ProgramTests/ImpostorTests.swift": [
              "takes nobody offline for good who has been online, and is final at the first connection",
              "is not believed before TLS, whatever they say, by an account that has been online; nobody goes where they point to"]}),
        ("Names and links that mislead", "CVE-2003-0063, CVE-2021-42574",
         "offers no completion that a terminal obeys, and refuses links whose names or addresses mislead.",
         {"ProgramTests/CompletionProgramTests.swift": ["is not completed with controls in a friend's name: CVE-2003-0063"],
          "JackdawTerminalTests/Prompt/PromptEditingTests.swift": [
              "CVE-2003-0063: a text that could steer the terminal is neither completed nor written"],
          "JackdawCommandsTests/Commands/FriendsTests.swift": [
              "friends add refuses our own address and what is no address, before anything is sent"],
          "ProgramTests/FriendsFileTests.swift": [
              "a name in a file or a link that misleads is refused, and one that a spreadsheet would run is text"],
          "JackdawTerminalTests/Output/EventLinesTests.swift": ["A misleading address is not offered for copying"]}),
    ],
    "The agent's socket": [
        ("Another user's process connects; the socket's folder is open to others or is a link; a link or a file where the socket should be", "",
         "lets nobody else in, follows no link, makes no socket there and uses none.",
         {"ProgramTests/AgentProgramTests.swift": ["Another user is not let in, and a folder of others is not used"],
          "JackdawCommandsTests/Agent/AgentFolderTests.swift": [
              "is made, and refused where others can look into it or it is a link", "shows sockets, and neither files nor links"],
          "JackdawCommandsTests/Agent/AgentServerTests.swift": [
              "A folder that is not private, or a socket's place that is taken by something else, is not used"]}),
        ("Rubbish, half frames, lines without end, another version, unknown commands", "",
         "says what is wrong once and lets the connection go; the session does not notice.",
         {"JackdawCommandsTests/Agent/AgentServerTests.swift": [
             "Whoever speaks no such language hears one error and is let go of; the session is untouched",
             "What is missing from a request, and another version of the language, are named"],
          "JackdawCommandsTests/Agent/AgentLanguageTests.swift": ["names what is wrong with a line"],
          "ProgramTests/AgentProgramTests.swift": [
              "Half frames, a client that reads nothing, and hundreds of clients leave the others alone"]}),
        ("A thousand clients, and one that never reads", "",
         "has room for 128, of which the oldest idle one makes place, and lets go of one for which 4 MiB wait.",
         {"JackdawCommandsTests/Agent/AgentServerTests.swift": ["More than there is room for: who has asked for nothing makes place"],
          "JackdawLoopTests/LineChannelTests.swift": ["Who reads nothing is let go of when too much waits"]}),
        ("The agent is killed, stopped or ended in the middle of a command", "",
         "runs the command by itself where it had not been begun, ends with 75 and what is not confirmed where it had, and never runs it twice.",
         {"ProgramTests/AgentProgramTests.swift": [
             "Killed in the middle of a command: 75, what is not confirmed is named, and the next agent sees to it, once",
             "Stopped: the command waits for its time, says that nothing was done, and that stays so",
             "'listen' goes on by itself when the agent ends, and shows each message once"],
          "JackdawLoopTests/LineChannelTests.swift": [
              "After it is abandoned the other side cannot write; what it wrote before is not lost"],
          "JackdawCommandsTests/Agent/AgentRelayTests.swift": [
              "What was begun is not begun again, whatever becomes of the other process",
              "What was not begun is this process's to do"]}),
    ],
}


def named():
    """Each test that a row names, once: (file below Tests, title)."""
    return sorted({(file, test) for rows in ROWS.values() for row in rows for file, tests in row[3].items() for test in tests})


TEST = re.compile(r'@Test\(\s*"((?:[^"\\]|\\.)*)"')


def tests_of(text):
    """The titles of a Swift file's tests, as the rows and the log have them."""
    return [title.replace('\\"', '"').replace("\\\\", "\\") for title in TEST.findall(text)]


def tree_tests(base):
    """The tests of each file below Tests."""
    found = {}
    for folder, _, files in os.walk(os.path.join(base, "Tests")):
        for name in files:
            if name.endswith("Tests.swift"):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    found[os.path.relpath(path, os.path.join(base, "Tests"))] = tests_of(file.read())
    return found


# Titles are in quotation marks. Tests/Run/parts.py writes the part before it.
ENDED = re.compile(r"^(?:[\w-]+: )?\S+ Test \"(.+?)\"(?: with \d+ test cases?)? (passed|failed) after ", re.MULTILINE)


def not_passed(log, tests):
    """What of the rows the log does not bear out. A name that several tests have counts when all of them passed."""
    passed, failed, complaints = {}, set(), []
    for name, how in ENDED.findall(log):
        if how == "passed":
            passed[name] = passed.get(name, 0) + 1
        else:
            failed.add(name)
    count = {}
    for names in tests.values():
        for name in names:
            count[name] = count.get(name, 0) + 1
    for file, test in named():
        if test in failed:
            complaints.append(f"Tests/{file}: '{test}' failed in the log")
        elif passed.get(test, 0) < count.get(test, 1):
            complaints.append(f"Tests/{file}: '{test}' is not in the log")
    return complaints


def missing(tests):
    """Tests that the rows name and that are not where they are said to be."""
    return [f"Tests/{file}: there is no test '{test}', which Docs/security.py names"
            for file, test in named() if test not in tests.get(file, [])]


def table():
    """What stands between the two marks."""
    rows, files = sum(len(rows) for rows in ROWS.values()), len({file for file, _ in named()})
    lines = [BEGIN, "", f"{rows} rows, {len(named())} tests in {files} files. Each of them passed in the run of `make test` that this "
             "part was written from (✔)."]
    for heading, rows in ROWS.items():
        lines += ["", f"### {heading}"]
        for attack, reference, answer, tests in rows:
            text = f"**{attack}**" + (f" ({reference})" if reference else "") + f": Jackdaw {answer}"
            lines += ["", *textwrap.wrap(text, 130, break_long_words=False, break_on_hyphens=False), ""]
            lines += [f"- `{file}`: " + "; ".join(f'✔ "{name}"' for name in names) for file, names in tests.items()]
    return "\n".join(lines + ["", END])


def parts(base):
    """The page before, between and after the marks."""
    with open(os.path.join(base, PAGE), encoding="utf-8") as file:
        text = file.read()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"{PAGE}: its two marks are not there once each")
    before, rest = text.split(BEGIN)
    between, after = rest.split(END)
    return before, BEGIN + between + END, after


def finish(complaints):
    for complaint in complaints:
        print(complaint)
    if complaints:
        print(f"security: {len(complaints)} found")
        sys.exit(1)
    print("security: right")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: security.py LOG|--check [TREE]")
    base = sys.argv[2] if len(sys.argv) > 2 else os.path.dirname(HERE)
    tests = tree_tests(base)
    before, between, after = parts(base)
    if sys.argv[1] == "--check":
        finish(missing(tests) + ([] if between == table() else [f"{PAGE}: its table is not what the rows give: run `make security`"]))
        return
    try:
        with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
            log = file.read()
    except OSError as error:
        sys.exit(f"{sys.argv[1]}: {error.strerror}; `make test` writes it")
    complaints = missing(tests) + not_passed(log, tests)
    if not complaints:
        with open(os.path.join(base, PAGE), "w", encoding="utf-8") as file:
            file.write(before + table() + after)
    finish(complaints)


if __name__ == "__main__":
    main()
