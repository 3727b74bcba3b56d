// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

@testable import JackdawTransport

/// A CA whose file is trusted, and what it signed.
struct TestAuthority {
  let directory = TemporaryDirectory()
  let certificate = TestCertificate(.init(commonName: "Test Authority", isCA: true), issuer: nil)
  let file: String

  init() { file = directory.write(certificate.pem, to: "ca.pem") }

  func context() throws(TransportError) -> TLSContext { try TLSContext(.file(file)) }

  /// A good certificate for `domain`.
  func identity(_ domain: String = "chat.example", _ change: (inout TestCertificate.Contents) -> Void = { _ in })
    -> TestCertificate
  {
    var contents = TestCertificate.Contents(alternativeNames: "DNS:\(domain)")
    change(&contents)
    return TestCertificate(contents, issuer: certificate)
  }
}
