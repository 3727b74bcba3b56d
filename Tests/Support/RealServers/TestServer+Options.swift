// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

extension TestServer {
  /// How a server is to be; servers of equal options are shared.
  package struct Options: Sendable, Hashable {
    package enum TLS: String, Sendable {
      case any
      case version12 = "1.2"
      case version13 = "1.3"
    }

    /// How passwords are kept, which decides what SCRAM the server offers.
    package enum Passwords: String, Sendable {
      case sha1 = "SHA-1"
      case sha256 = "SHA-256"
      /// ejabberd only.
      case sha512 = "SHA-512"
      /// ejabberd offers SCRAM with every hash then.
      case plain
    }

    /// What is wrong with the server's certificate, if anything.
    package enum Certificate: String, Sendable, CaseIterable {
      case good
      case expired
      case notYetValid = "not-yet-valid"
      case wrongName = "wrong-name"
      case commonName = "common-name"
      case selfSigned = "self-signed"
      case unknownAuthority = "unknown-ca"
    }

    /// The first is the main one.
    package var domains = ["jackdaw.test"]
    package var tls = TLS.any
    /// nil: Prosody keeps SHA-1, ejabberd SHA-256. Of plain ones ejabberd makes keys anew at each log-in, which is two thirds of what one
    /// costs it.
    package var passwords: Passwords?
    package var disabledMechanisms: [String] = []
    package var certificate = Certificate.good
    /// In-band registration (XEP-0077) is open.
    package var registration = false
    /// With ``registration``, the server asks for more: Prosody for an e-mail address and a plan, ejabberd for a CAPTCHA to be solved.
    package var registrationQuestions = false
    /// Features that are off, by the names that the scripts give them: `smacks`, `mam`, `carbons`, `rooms` …
    package var without: [String] = []

    /// The domain of a component that may log in (XEP-0114); nil: none. Its secret is `component`.
    package var component: String?

    /// Archives are kept in `data/archive.sqlite`, of which a page of a long one costs no more than of a short one. Prosody only.
    package var hasArchiveDatabase = false

    /// What the server itself answers has no `from`, as jabberd2's answers have none. Prosody only.
    package var unnamedAnswers = false

    /// Where it says that its streams are resumed (XEP-0198 5), as `HOST:PORT`; nil: it does not say. Prosody only.
    package var location: String?

    /// Messages with the body `unbound` or `comment` get something into them that makes their XML wrong. Prosody only.
    package var faultyXML = false

    /// It has modules that are not Prosody's own: log-ins in one exchange with tokens (XEP-0388, 0386, 0484), moderated rooms (XEP-0425).
    /// Prosody only.
    package var community = false

    /// What a server makes of the keys for SCRAM-SHA-256 that it asks for with a log-in (XEP-0480).
    package enum Upgrade: String, Sendable {
      /// It takes them, and offers that mechanism to the account from then on.
      case whole
      /// It asks for too few iterations.
      case weak
      /// It takes none, and says so in the end.
      case refuse
      /// It hangs up when they are to come.
      case leave
      /// It says nothing more when they are to come.
      case silent
    }

    /// Whether it asks for such keys, as one with ``community`` otherwise; nil: it does not. Prosody only.
    package var upgrade: Upgrade?

    /// TLS connections may be resumed (RFC 8446 2.2), until it is started again. Prosody only.
    package var tickets = false

    /// A server as most are.
    package init() {}

    /// A server that differs in some options.
    package init(_ change: (inout Options) -> Void) { change(&self) }

    /// What tells a server's script.
    func arguments(of kind: TestServer.Kind) -> [String] {
      let passwords = passwords ?? (kind == .ejabberd ? .sha256 : nil)
      var arguments = domains.flatMap { ["--domain", $0] }
      arguments += ["--tls", tls.rawValue, "--certificate", certificate.rawValue]
      if let passwords { arguments += ["--scram", passwords.rawValue] }
      arguments += disabledMechanisms.flatMap { ["--disable-mechanism", $0] }
      arguments += without.flatMap { ["--without", $0] }
      if let component { arguments += ["--component", component] }
      if registration { arguments.append("--registration") }
      if registrationQuestions { arguments.append("--registration-questions") }
      if hasArchiveDatabase { arguments += ["--archive", "sqlite"] }
      if unnamedAnswers { arguments.append("--unnamed-answers") }
      if let location { arguments += ["--location", location] }
      if faultyXML { arguments.append("--faulty-xml") }
      if community { arguments.append("--community") }
      if let upgrade { arguments += ["--upgrade", upgrade.rawValue] }
      if tickets { arguments.append("--tickets") }
      return arguments
    }
  }
}

/// An account on a ``TestServer``.
package struct TestAccount: Sendable, Hashable, CustomStringConvertible {
  package let user: String
  package let domain: String
  package let password = "correct-horse-battery-staple"

  /// The bare JID.
  package var jid: String { "\(user)@\(domain)" }

  package var description: String { jid }

  static func uniqueName(_ prefix: String) -> String {
    prefix + "-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
  }
}
