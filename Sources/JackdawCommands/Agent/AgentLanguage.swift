// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
package import JackdawSession

/// What is said over the agent's socket: JSON-RPC 2.0, one object a line, as Docs/AGENT.md has it.
package enum AgentLanguage {
  /// Of the requests and notifications. A program of another version is not spoken to.
  package static let version = 1

  /// Why a request was not answered as it was asked.
  package struct Failure: Error, Sendable, Equatable {
    /// JSON-RPC's own codes, ours from -32000 downwards, or the exit code of a command.
    package var code: Int
    package var message: String
    /// What else is said, as JSON.
    package var data: [UInt8]?

    package init(_ code: Int, _ message: String, data: [UInt8]? = nil) {
      self.code = code
      self.message = message
      self.data = data
    }

    /// A line is not JSON.
    package static let notJSON = -32700
    /// It is not a message of JSON-RPC 2.0.
    package static let badRequest = -32600
    /// There is no such command.
    package static let unknownMethod = -32601
    /// Something is missing, or of another type.
    package static let badParameters = -32602
    /// The command is to be run without the agent: nothing was done.
    package static let declined = -32000
    /// The agent speaks another version: nothing was done.
    package static let otherVersion = -32001
    /// Too much is going on: nothing was done.
    package static let busy = -32002
    /// The agent ends. What it says besides is how far the command got, which goes on without it.
    package static let leaving = -32003
    /// The result would be too long. Nothing of it counts as presented.
    package static let tooLong = -32004
  }

  /// What a line says.
  package enum Message: Sendable, Equatable {
    case request(id: JSONValue, method: String, parameters: JSONValue)
    case notification(method: String, parameters: JSONValue)
    case result(id: JSONValue, JSONValue)
    case failure(id: JSONValue, Failure)
  }

  /// Reads a line, without its newline.
  /// - Throws: ``Failure`` `notJSON` or `badRequest`.
  package static func read(_ line: [UInt8]) throws(Failure) -> Message {
    var reader = JSONReader(line)
    let value: JSONValue
    do throws(JSONProblem) {
      value = try reader.value()
    } catch {
      throw Failure(Failure.notJSON, "The line \(error).")
    }
    guard !reader.skipToValue(), case .object(let members) = value, value["jsonrpc"].text == "2.0" else {
      throw Failure(Failure.badRequest, "The line is not one JSON-RPC 2.0 object.")
    }
    let id = value["id"]
    switch id {
    case .null, .string, .number: break
    case .bool, .array, .object: throw Failure(Failure.badRequest, "'id' is neither a text nor a number.")
    }
    if let method = value["method"].text {
      let parameters = value["params"]
      return members["id"] == nil
        ? .notification(method: method, parameters: parameters)
        : .request(id: id, method: method, parameters: parameters)
    }
    if let result = members["result"] { return .result(id: id, result) }
    if case .object = value["error"], let code = value["error"]["code"].integer {
      return .failure(
        id: id, Failure(code, value["error"]["message"].text ?? "", data: value["error"]["data"].json))
    }
    throw Failure(Failure.badRequest, "The object has neither a method, nor a result, nor an error.")
  }

  // MARK: Writing

  private static var start: JSONObjectText {
    var object = JSONObjectText()
    object.add("jsonrpc", "2.0")
    return object
  }

  /// A request's line.
  package static func request(_ id: JSONValue, _ method: String, _ parameters: JSONObjectText) -> [UInt8] {
    var object = start
    object.add("id", raw: id.json)
    object.add("method", method)
    object.add("params", parameters)
    return object.line
  }

  /// A notification's line.
  package static func notification(_ method: String, _ parameters: JSONObjectText) -> [UInt8] {
    var object = start
    object.add("method", method)
    object.add("params", parameters)
    return object.line
  }

  /// The line that answers a request.
  package static func result(_ id: JSONValue, _ result: JSONObjectText) -> [UInt8] {
    var object = start
    object.add("id", raw: id.json)
    object.add("result", result)
    return object.line
  }

  /// The line that answers a request which was not done.
  package static func failure(_ id: JSONValue, _ failure: Failure) -> [UInt8] {
    var error = JSONObjectText()
    error.add("code", failure.code)
    error.add("message", failure.message)
    if let data = failure.data { error.add("data", raw: data) }
    var object = start
    object.add("id", raw: id.json)
    object.add("error", error)
    return object.line
  }

  // MARK: Bytes

  /// Adds bytes under `text` where they are UTF-8, else under `base64`.
  package static func add(_ bytes: [UInt8], to object: inout JSONObjectText) {
    if let text = String(validating: bytes, as: UTF8.self) {
      object.add("text", text)
    } else {
      object.add("base64", String(decoding: Base64.encode(bytes), as: UTF8.self))
    }
  }

  /// The bytes that ``add(_:to:)`` added; nil: none.
  package static func bytes(of object: JSONValue) -> [UInt8]? {
    if let text = object["text"].text { return Array(text.utf8) }
    return object["base64"].text.flatMap { Base64.decode(Array($0.utf8)) }
  }
}
