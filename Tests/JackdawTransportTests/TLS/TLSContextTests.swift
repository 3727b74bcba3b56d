// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Testing

@testable import JackdawTransport

@Suite struct TLSContextTests {
  private let authority = TestAuthority()

  private func accepts(_ trust: TLSContext.Trust, chain: [TestCertificate] = [], _ identity: TestCertificate? = nil)
    throws -> Bool
  {
    let server = TestTLSServer(identity ?? authority.identity(), chain: chain)
    return try TLSPair(server: server, domain: "chat.example", context: TLSContext(trust)).security != nil
  }

  @Test("Only the authorities of the CA file are trusted") func trustsTheCAFile() throws {
    #expect(try accepts(.file(authority.file)))
    let other = TestAuthority()
    #expect(try !accepts(.file(other.file)))
  }

  @Test("A certificate of the tests' own authority is not trusted by the system's authorities")
  func theSystemsAuthoritiesDoNotKnowOurs() throws { #expect(try !accepts(.system)) }

  @Test("A directory of certificates is searched by hash") func searchesADirectoryByHash() throws {
    let directory = TemporaryDirectory()
    #expect(try !accepts(.directory(directory.path, orFile: nil)))
    directory.write(authority.certificate.pem, to: authority.certificate.hashedFileName)
    #expect(try accepts(.directory(directory.path, orFile: nil)))
    #expect(try accepts(.directory("/nonexistent:\(directory.path)", orFile: nil)))
    #expect(try !accepts(.directory(directory.path, orFile: nil), TestAuthority().identity()))
  }

  @Test("The file is used when the directory has no certificates")
  func takesTheFileWhenTheDirectoryHasNoCertificates() throws {
    let directory = TemporaryDirectory()
    directory.write([], to: "README.0")
    directory.write(authority.certificate.pem, to: "authority.pem")
    #expect(try accepts(.directory(directory.path, orFile: authority.file)))
    #expect(try accepts(.directory("/nonexistent", orFile: authority.file)))
    // The file costs 20 ms and is not read for nothing.
    let other = TestAuthority()
    directory.write(other.certificate.pem, to: other.certificate.hashedFileName)
    #expect(try !accepts(.directory(directory.path, orFile: authority.file)))
  }

  @Test("An intermediate authority may be trusted alone") func anIntermediateAuthorityMayBeTrustedAlone() throws {
    let intermediate = TestCertificate(.init(commonName: "Intermediate", isCA: true), issuer: authority.certificate)
    let identity = TestCertificate(.init(alternativeNames: "DNS:chat.example"), issuer: intermediate)
    let file = authority.directory.write(intermediate.pem, to: "intermediate.pem")
    #expect(try accepts(.file(file), chain: [intermediate], identity))
  }

  @Test("A self-signed certificate may be trusted") func aSelfSignedCertificateMayBeTrusted() throws {
    let identity = TestCertificate(.init(alternativeNames: "DNS:chat.example"), issuer: nil)
    let file = authority.directory.write(identity.pem, to: "own.pem")
    #expect(try accepts(.file(file), identity))
  }

  @Test("is current until a file or a folder of authorities is another")
  func isCurrentUntilItIsExchanged() throws {
    let directory = TemporaryDirectory()
    directory.write(authority.certificate.pem, to: authority.certificate.hashedFileName)
    let file = directory.write(authority.certificate.pem, to: "ca.pem")
    // Long ago: what is written from now on has another time.
    let past = timeval(tv_sec: 1, tv_usec: 0)
    for path in [file, directory.path] { #expect(utimes(path, [past, past]) == 0) }
    let contexts = try [TLSContext(.file(file)), TLSContext(.directory(directory.path, orFile: nil))]
    #expect(contexts.map(\.isCurrent) == [true, true])
    let other = TestAuthority().certificate
    directory.write(authority.certificate.pem + other.pem, to: "ca.pem")
    #expect(contexts.map(\.isCurrent) == [false, true])
    directory.write(other.pem, to: "12345678.0")
    #expect(contexts.map(\.isCurrent) == [false, false])
  }

  @Test("A CA file that cannot be read is named") func aCAFileThatCannotBeReadIsNamed() {
    let error = #expect(throws: TransportError.self) { try TLSContext(.file("/nonexistent/ca.pem")) }
    #expect(error?.code == .caFile)
    #expect(error?.errno == 2)
    #expect(error?.description == "The CA file /nonexistent/ca.pem cannot be read: No such file or directory.")
  }

  @Test(
    "A CA file without a certificate is named",
    arguments: ["", "not a certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
  func aCAFileWithoutACertificateIsNamed(text: String) {
    let file = authority.directory.write(Array(text.utf8), to: "bad.pem")
    let error = #expect(throws: TransportError.self) { try TLSContext(.file(file)) }
    #expect(error?.code == .caFile)
    #expect(error?.description == "The CA file \(file) holds no certificate in PEM form.")
  }
}
