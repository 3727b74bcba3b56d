// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import COpenSSL
import Testing

@testable import JackdawTransport

/// One server's certificate, and what becomes of it.
struct CertificateCase: Sendable, CustomTestStringConvertible {
  enum Issuer: Sendable { case authority, unknownAuthority, itself, anotherLeaf, intermediate }

  var name: String
  var domain = "chat.example"
  var names: String?
  var commonName = "Test"
  var issuer = Issuer.authority
  var usage: String? = "serverAuth"
  var validFrom = -1
  var validTo = 30
  var rsaBits: UInt32?
  var digest = "SHA256"
  /// Nil: it is accepted. Otherwise words of the sentence.
  var refusal: String?

  var testDescription: String { name }
}

private func good(_ name: String, _ domain: String, _ names: String) -> CertificateCase {
  CertificateCase(name: name, domain: domain, names: names)
}

private func otherName(_ name: String, _ domain: String, _ names: String?, commonName: String = "Test")
  -> CertificateCase
{
  CertificateCase(
    name: name, domain: domain, names: names, commonName: commonName, refusal: "is not for this domain, but for")
}

/// `d\0.evil.example` as a DNS name: a sequence of one [2] IA5String.
private let nulName: String = {
  let name = Array("chat.example".utf8) + [0] + Array(".evil.example".utf8)
  let bytes = [0x30, UInt8(name.count + 2), 0x82, UInt8(name.count)] + name
  return "DER:" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
}()

@Suite struct CertificateTests {
  /// Names (RFC 9525, RFC 6120 13.7): wrong host, CN fallback, wildcards, IDN, case, SRVName and XmppAddr,
  /// NUL in a name (CVE-2009-2408). Then validity, trust, a leaf used as CA (CVE-2014-0363), key usage, weak keys.
  @Test(
    "A certificate is accepted only if it is valid, trusted and for the domain",
    arguments: [
      good("the domain", "chat.example", "DNS:chat.example"),
      good("one of several names", "chat.example", "DNS:a.example,DNS:chat.example,DNS:*.b.example"),
      good("case: SAN in upper case", "chat.example", "DNS:CHAT.EXAMPLE"),
      good("case: domain in upper case", "CHAT.example", "DNS:chat.example"),
      good("wildcard for one label", "a.chat.example", "DNS:*.chat.example"),
      good("IDN: A-labels", "xn--bcher-kva.example", "DNS:xn--bcher-kva.example"),
      good("IDN under a wildcard", "xn--bcher-kva.chat.example", "DNS:*.chat.example"),
      good("IPv4 domain", "192.0.2.1", "IP:192.0.2.1"),
      good("IPv6 domain", "[2001:db8::1]", "IP:2001:db8::1"),
      CertificateCase(name: "intermediate authority", names: "DNS:chat.example", issuer: .intermediate),
      CertificateCase(name: "no extended key usage", names: "DNS:chat.example", usage: nil),

      otherName("wrong host", "chat.example", "DNS:other.example"),
      otherName("wrong host: subdomain of ours", "chat.example", "DNS:www.chat.example"),
      otherName("wrong host: ours is a subdomain", "chat.example", "DNS:example"),
      otherName("wrong host: prefix", "chat.example", "DNS:evilchat.example,DNS:chat.example.evil.example"),
      otherName("CN fallback: no SAN", "chat.example", nil, commonName: "chat.example"),
      otherName("CN fallback: other SAN", "chat.example", "DNS:other.example", commonName: "chat.example"),
      otherName("CN fallback: SAN of another kind", "chat.example", "email:a@chat.example", commonName: "chat.example"),
      otherName("wildcard for the domain itself", "chat.example", "DNS:*.chat.example"),
      otherName("wildcard for two labels", "a.b.chat.example", "DNS:*.chat.example"),
      otherName("wildcard alone", "chat.example", "DNS:*"),
      otherName("wildcard of a top-level domain", "chat.example", "DNS:*.example"),
      otherName("wildcard at the end of a label", "chat.host.example", "DNS:c*.host.example"),
      otherName("wildcard within a label", "chat.host.example", "DNS:c*t.host.example"),
      otherName("wildcard at the start of a label", "chat.host.example", "DNS:*t.host.example"),
      otherName("wildcard in the second label", "a.chat.example", "DNS:a.*.example"),
      otherName("two wildcards", "a.b.example", "DNS:*.*.example"),
      otherName(
        "SRVName alone, of a server", "chat.example", "otherName:1.3.6.1.5.5.7.8.7;IA5STRING:_xmpp-server.chat.example"),
      otherName("XmppAddr of a user", "chat.example", "otherName:1.3.6.1.5.5.7.8.5;UTF8:user@chat.example"),
      otherName("URI of the domain", "chat.example", "URI:xmpp:chat.example"),
      otherName("NUL in name", "chat.example", nulName),
      otherName("IPv4 domain, address as DNS name", "192.0.2.1", "DNS:192.0.2.1"),
      otherName("IPv4 domain, other address", "192.0.2.1", "IP:192.0.2.2"),

      CertificateCase(
        name: "expired", names: "DNS:chat.example", validFrom: -30, validTo: -2, refusal: "expired on 20"),
      CertificateCase(
        name: "not yet valid", names: "DNS:chat.example", validFrom: 2, refusal: "is not valid before 20"),
      CertificateCase(name: "self-signed", names: "DNS:chat.example", issuer: .itself, refusal: "is self-signed."),
      CertificateCase(
        name: "unknown CA", names: "DNS:chat.example", issuer: .unknownAuthority,
        refusal: "is signed by an authority that is not trusted here (Unknown Authority)."),
      CertificateCase(
        name: "leaf used as CA", names: "DNS:chat.example", issuer: .anotherLeaf,
        refusal: "is signed by somebody who may not sign certificates."),
      CertificateCase(
        name: "key usage: for clients", names: "DNS:chat.example", usage: "clientAuth",
        refusal: "is not one for a server."),
      CertificateCase(
        name: "key usage: for code", names: "DNS:chat.example", usage: "codeSigning",
        refusal: "is not one for a server."),
      CertificateCase(
        name: "weak signature: SHA-1", names: "DNS:chat.example", digest: "SHA1", refusal: "that is too weak."),
      CertificateCase(
        name: "weak key: RSA 1024", names: "DNS:chat.example", rsaBits: 1024, refusal: "that is too weak."),
    ])
  func isJudged(row: CertificateCase) throws {
    let directory = TemporaryDirectory()
    let authority = TestCertificate(.init(commonName: "Test Authority", isCA: true), issuer: nil)
    let context = try TLSContext(.file(directory.write(authority.pem, to: "ca.pem")))
    var issuer: TestCertificate? = authority
    var chain: [TestCertificate] = []
    switch row.issuer {
    case .authority: break
    case .itself: issuer = nil
    case .unknownAuthority: issuer = TestCertificate(.init(commonName: "Unknown Authority", isCA: true), issuer: nil)
    case .anotherLeaf:
      issuer = TestCertificate(.init(commonName: "Leaf", alternativeNames: "DNS:evil.example"), issuer: authority)
    case .intermediate: issuer = TestCertificate(.init(commonName: "Intermediate", isCA: true), issuer: authority)
    }
    if let issuer, issuer !== authority { chain = [issuer] }
    let identity = TestCertificate(
      .init(
        commonName: row.commonName, alternativeNames: row.names, extendedKeyUsage: row.usage, validFrom: row.validFrom,
        validTo: row.validTo, key: row.rsaBits.map { .rsa(bits: $0) } ?? .curve,
        digest: EVP_get_digestbyname(row.digest)),
      issuer: issuer)
    for maximum in [TLS1_2_VERSION, TLS1_3_VERSION] {
      let server = TestTLSServer(identity, chain: chain, settings: .init(maximumVersion: maximum))
      let pair = try TLSPair(server: server, domain: row.domain, context: context)
      if let refusal = row.refusal {
        #expect(pair.error?.code == .certificate)
        #expect(pair.error?.description.hasPrefix("The certificate of \(row.domain) ") == true)
        #expect(pair.error?.description.contains(refusal) == true, "\(pair.error?.description ?? "accepted")")
        #expect(pair.security == nil)
      } else {
        #expect(pair.error == nil)
        #expect(pair.security != nil)
      }
    }
  }

  @Test("The names in the error are few and printable") func theNamesInTheMessageAreFewAndPrintable() throws {
    let names = ["\u{9b}2Jred", "a\u{1b}]0;title\u{7}"].map { text in
      let bytes = Array(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
      return [0x82, UInt8(bytes.count)] + bytes
    }
    let long = [0x82, 0x81, 200] + [UInt8](repeating: UInt8(ascii: "x"), count: 200)
    let many = (0..<9).flatMap { [0x82, 2, UInt8(ascii: "h"), UInt8(ascii: "0") + $0] }
    let body = names.flatMap { $0 } + long + many
    let bytes = [0x30, 0x82, UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body
    let value = "DER:" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
    let directory = TemporaryDirectory()
    let authority = TestCertificate(.init(commonName: "Test Authority", isCA: true), issuer: nil)
    let context = try TLSContext(.file(directory.write(authority.pem, to: "ca.pem")))
    let identity = TestCertificate(.init(alternativeNames: value), issuer: authority)
    let pair = try TLSPair(server: TestTLSServer(identity), domain: "chat.example", context: context)
    let shown = String(repeating: "x", count: TransportLimits.listedNameLength) + "…"
    #expect(
      pair.error?.description
        == "The certificate of chat.example is not for this domain, but for "
        + "?2Jred, a?]0;title?, \(shown), h0, h1 and 7 more."
    )
  }

  @Test("The error of an expired certificate has the date") func theDateOfTheEndIsTold() throws {
    let directory = TemporaryDirectory()
    let authority = TestCertificate(.init(commonName: "Test Authority", isCA: true), issuer: nil)
    let context = try TLSContext(.file(directory.write(authority.pem, to: "ca.pem")))
    let identity = TestCertificate(
      .init(alternativeNames: "DNS:chat.example", validFrom: -9000, validTo: -400), issuer: authority)
    let pair = try TLSPair(server: TestTLSServer(identity), domain: "chat.example", context: context)
    let sentence = try #require(pair.error?.description)
    #expect(
      sentence.wholeMatch(of: /The certificate of chat\.example expired on 20[0-9]{2}-[01][0-9]-[0-3][0-9]\./) != nil)
  }

  /// The machine's clock may be years behind, and then no server's certificate is valid.
  @Test("The error of a certificate that is not valid yet has this machine's time")
  func theClockIsToldWhereACertificateIsNotValidYet() throws {
    let directory = TemporaryDirectory()
    let authority = TestCertificate(.init(commonName: "Test Authority", isCA: true), issuer: nil)
    let context = try TLSContext(.file(directory.write(authority.pem, to: "ca.pem")))
    let identity = TestCertificate(.init(alternativeNames: "DNS:chat.example", validFrom: 400), issuer: authority)
    let sentence = try #require(
      TLSPair(server: TestTLSServer(identity), domain: "chat.example", context: context).error?.description)
    let dates =
      /The certificate of chat\.example is not valid before (?<start>20[-0-9]{8}); the clock of this machine says (?<now>20[-0-9]{8})\./
    let match = try #require(try dates.wholeMatch(in: sentence))
    #expect(match.now < match.start)
  }

  @Test("The error of a certificate that becomes valid within hours has the time of day")
  func hoursAreToldWhereACertificateIsNotValidYetForSomeOfThem() {
    func moment(_ day: Int32, _ hour: Int32) -> tm {
      var fields = tm()
      (fields.tm_year, fields.tm_mon, fields.tm_mday, fields.tm_hour) = (126, 10, day, hour)
      return fields
    }
    #expect(
      CertificateFailure.notYetValid(from: moment(29, 14), now: moment(29, 9))
        == " is not valid before 2026-11-29 14:00 UTC; the clock of this machine says 2026-11-29 09:00 UTC.")
    #expect(
      CertificateFailure.notYetValid(from: moment(29, 14), now: moment(28, 14))
        == " is not valid before 2026-11-29; the clock of this machine says 2026-11-28.")
    #expect(CertificateFailure.notYetValid(from: nil, now: nil) == " is not valid yet.")
  }
}
