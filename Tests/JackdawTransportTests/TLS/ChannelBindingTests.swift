// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import COpenSSL
import Testing

@testable import JackdawTransport

/// Channel bindings: tls-exporter (RFC 9266) and tls-server-end-point (RFC 5929).
@Suite struct ChannelBindingTests {
  private let authority = TestAuthority()

  private func pair(_ settings: TestTLSServer.Settings, _ identity: TestCertificate? = nil) throws -> TLSPair {
    let server = TestTLSServer(identity ?? authority.identity(), settings: settings)
    return try TLSPair(server: server, domain: "chat.example", context: authority.context())
  }

  @Test("The tls-exporter binding is the same at both ends", arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
  func exporterIsTheSameAtBothEnds(version: Int32) throws {
    let pair = try pair(.init(maximumVersion: version))
    let binding = try #require(pair.security?.channelBindings["tls-exporter"])
    #expect(binding.count == 32)
    #expect(binding == pair.server.exported("EXPORTER-Channel-Binding"))
  }

  /// RFC 9266 section 4: TLS 1.2 needs the extended master secret.
  @Test("There is no tls-exporter binding without extended master secret")
  func noExporterWithoutExtendedMasterSecret() throws {
    let security = try #require(
      try pair(.init(maximumVersion: TLS1_2_VERSION, sendsExtendedMasterSecret: false)).security)
    #expect(security.channelBindings["tls-exporter"] == nil)
    #expect(security.channelBindings["tls-server-end-point"] != nil)
  }

  @Test("The tls-exporter binding differs from connection to connection")
  func exporterDiffersFromConnectionToConnection() throws {
    let one = try pair(.init()).security?.channelBindings["tls-exporter"]
    let other = try pair(.init()).security?.channelBindings["tls-exporter"]
    #expect(one != nil && one != other)
  }

  /// RFC 5929 section 4.1.
  @Test(
    "The tls-server-end-point binding uses the hash of the certificate's signature",
    arguments: ["SHA256", "SHA384", "SHA512"])
  func endPointUsesTheHashOfTheSignature(name: String) throws {
    let digest = EVP_get_digestbyname(name)
    let identity = authority.identity { $0.digest = digest }
    let binding = try pair(.init(), identity).security?.channelBindings["tls-server-end-point"]
    #expect(binding == identity.digest(digest))
  }

  /// RFC 5929 section 4.1: MD5 and SHA-1 become SHA-256. Such a certificate is trusted only when it is one of the CA
  /// file's own.
  @Test("The tls-server-end-point binding replaces weak hashes by SHA-256", arguments: ["SHA1", "MD5"])
  func endPointReplacesWeakHashes(name: String) throws {
    let identity = TestCertificate(
      .init(alternativeNames: "DNS:chat.example", key: .rsa(bits: 2048), digest: EVP_get_digestbyname(name)),
      issuer: nil)
    let file = authority.directory.write(identity.pem, to: "pinned.pem")
    let pair = try TLSPair(
      server: TestTLSServer(identity), domain: "chat.example", context: TLSContext(.file(file)))
    #expect(pair.error == nil)
    #expect(pair.security?.channelBindings["tls-server-end-point"] == identity.digest(EVP_sha256()))
  }

  /// A signature without a single hash leaves the end point undefined.
  @Test("There is no tls-server-end-point binding for Ed25519") func noEndPointForEd25519() throws {
    let signer = TestCertificate(.init(commonName: "Ed Authority", isCA: true, key: .ed25519), issuer: nil)
    let identity = TestCertificate(.init(alternativeNames: "DNS:chat.example"), issuer: signer)
    let file = authority.directory.write(signer.pem, to: "ed.pem")
    let pair = try TLSPair(
      server: TestTLSServer(identity), domain: "chat.example", context: TLSContext(.file(file)))
    let bindings = try #require(pair.security?.channelBindings)
    #expect(bindings["tls-server-end-point"] == nil)
    #expect(bindings["tls-exporter"] != nil)
  }
}
