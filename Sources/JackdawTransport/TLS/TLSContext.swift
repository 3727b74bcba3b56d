// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import COpenSSL
import Glibc

/// The settings that every TLS session of ours has: which certificates are trusted, which versions and ciphers are
/// good enough (RFC 7590 with RFC 9325). Made once for a set of trusted certificates, as it was read.
final class TLSContext {
  /// Whose certificates are trusted.
  enum Trust: Hashable, Sendable {
    /// Those of the system.
    case system
    /// Those of this PEM file.
    case file(String)
    /// Those of a directory of certificates named by their hash, or of a file where the directory holds none.
    case directory(String, orFile: String?)
  }

  let pointer: OpaquePointer
  /// What a certificate is judged by. What was verified by one is verified by no other: files and folders are told from what
  /// they were before, too.
  private(set) var rules = ""
  /// What was read of the trusted certificates, and how it was then.
  /// Bounded by the files and folders of one ``Trust``.
  private var sources: [(path: String, state: String)] = []

  private static let ciphers =
    "ECDHE+AESGCM:ECDHE+CHACHA20:DHE+AESGCM:DHE+CHACHA20:ECDHE+AES:DHE+AES:!aNULL:!eNULL:!PSK:!SRP"

  /// - Throws: ``TransportError`` `caFile`, `tls`.
  init(_ trust: Trust) throws(TransportError) {
    guard let pointer = SSL_CTX_new(TLS_client_method()) else {
      throw TransportError(.tls, "TLS cannot be set up: \(OpenSSLError.last).")
    }
    self.pointer = pointer
    SSL_CTX_set_security_level(pointer, 2)
    jackdaw_ssl_ctx_harden(pointer)
    jackdaw_ssl_ctx_release_buffers(pointer)
    jackdaw_ssl_ctx_give_sessions(pointer) { connection, session in
      // 0: OpenSSL is to let go of it.
      TLSSession.of(connection)?.takeOver(session) == true ? 1 : 0
    }
    SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
    // Forward secrecy and no NULL, no anonymous ones; the suites of TLS 1.3 are all good.
    guard jackdaw_ssl_ctx_set_min_version(pointer, TLS1_2_VERSION) == 1,
      jackdaw_ssl_ctx_set_max_version(pointer, 0) == 1,
      SSL_CTX_set_cipher_list(pointer, Self.ciphers) == 1
    else { throw TransportError(.tls, "TLS cannot be set up: \(OpenSSLError.last).") }
    // A newer OpenSSL may judge otherwise.
    rules = "\(OpenSSL_version_num()) \(Self.ciphers)"
    try load(trust)
  }

  deinit { SSL_CTX_free(pointer) }

  /// False once a file or a folder is another than the one that was read: certificates are renewed, and authorities withdrawn, while a
  /// program runs.
  var isCurrent: Bool { sources.allSatisfy { Self.state(of: $0.path) == $0.state } }

  private func load(_ trust: Trust) throws(TransportError) {
    switch trust {
    case .system:
      let directory = getenv(X509_get_default_cert_dir_env()).map { String(cString: $0) }
      let file = getenv(X509_get_default_cert_file_env()).map { String(cString: $0) }
      if let file { load(file: file) }
      load(
        directory: directory ?? String(cString: X509_get_default_cert_dir()),
        orFile: file == nil ? "/etc/ssl/certs/ca-certificates.crt" : nil)
    case .directory(let directory, let file):
      load(directory: directory, orFile: file)
    case .file(let path):
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw TransportError(
          .caFile, "The CA file \(path) cannot be read: \(String(cString: strerror(errno))).", errno: errno)
      }
      close(descriptor)
      guard load(file: path) else {
        ERR_clear_error()
        throw TransportError(.caFile, "The CA file \(path) holds no certificate in PEM form.")
      }
      // Whoever names a CA below a root trusts that one.
      X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(pointer), UInt(X509_V_FLAG_PARTIAL_CHAIN))
    }
    ERR_clear_error()
  }

  /// A directory is searched for the one certificate that is needed when it is needed; reading the file with all of
  /// them costs 20 ms.
  private func load(directory: String, orFile file: String?) {
    if Self.hasHashedCertificates(directory) {
      for path in directory.split(separator: ":") { addRule(String(path)) }
      SSL_CTX_load_verify_dir(pointer, directory)
    } else if let file {
      load(file: file)
    }
  }

  @discardableResult private func load(file: String) -> Bool {
    addRule(file)
    return SSL_CTX_load_verify_file(pointer, file) == 1
  }

  /// Before it is read: a file that takes its place meanwhile is then told from it.
  private func addRule(_ path: String) {
    let state = Self.state(of: path)
    sources.append((path, state))
    rules += "\n\(path)\(state)"
  }

  /// Tells a file or a folder from what it was before, and from one in its place.
  private static func state(of path: String) -> String {
    var state = stat()
    guard stat(path, &state) == 0 else { return "" }
    return [state.st_mtim, state.st_ctim].reduce(into: " \(state.st_dev) \(state.st_ino) \(state.st_size)") {
      $0 += " \($1.tv_sec).\($1.tv_nsec)"
    }
  }

  /// True when one of the directories (a list as in `PATH`) has a file named as c_rehash does: `5a7722fb.0`.
  private static func hasHashedCertificates(_ directories: String) -> Bool {
    directories.split(separator: ":").contains { directory in
      guard let stream = opendir(String(directory)) else { return false }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let isHashed = withUnsafeBytes(of: &entry.pointee.d_name) { name in
          name.count > 10 && name[8] == UInt8(ascii: ".") && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(name[9])
            && name[..<8].allSatisfy {
              (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
        }
        if isHashed { return true }
      }
      return false
    }
  }
}

/// OpenSSL's error queue.
enum OpenSSLError {
  /// Takes the first error of the queue, the cause of those after it, and empties the queue.
  static func takeReason() -> (code: Int32, text: String)? {
    let error = ERR_get_error()
    ERR_clear_error()
    guard error != 0 else { return nil }
    let text = ERR_reason_error_string(error).map { String(cString: $0) } ?? "error \(error)"
    return (Int32(truncatingIfNeeded: error & UInt(ERR_REASON_MASK)), text)
  }

  static var last: String { takeReason()?.text ?? "unknown error" }
}
