// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// A message on its way through the stages.
package struct InboundMessage: Sendable {
  /// The message as far as it is unwrapped; its sender is always set.
  package var message: Message { didSet { concerned = nil } }
  /// Whom its kind and its payloads concern, once that was looked at; nil: not since it was changed. By the handlers' places in their order:
  /// none is added once messages come.
  var concerned: PayloadSeekers.Places?
  /// Which way it went that another device of ours sent or received (XEP-0280), once that is verified.
  package var carbon: MessageArrived.Carbon?
  /// When it was sent, for one that was kept on the way (XEP-0203), from a source that may be believed.
  package var delayed: Timestamp?
  /// What our account's archive calls it (XEP-0313), as the server said of the message itself, or of one that a carbon
  /// holds; nil where it does not, or may not be believed.
  package var archiveID: String?
  /// What it says of earlier messages.
  package var relations: [MessageRelation] = []
  /// What its text repeated of the message that it answers, and was left out of it (XEP-0461); nil: nothing.
  package var quotedText: String?
  /// What its sender asks to be told of it.
  package var questions: MessageQuestions = []
  /// What it carries beside its text; nil: nothing.
  package var payload: MessagePayload? {
    get { box?.payload }
    set { box = newValue.map(PayloadBox.init) }
  }
  private(set) var box: PayloadBox?
  /// Where it stands in the message log, once it is there.
  package var place: LogPlace?
  /// As the log has been given it, which is as it is told, but for its place: no stage changes it from then on.
  var logged: MessageArrived?

  /// Adds to what it carries.
  package mutating func carry(_ add: (inout MessagePayload) -> Void) {
    var all = payload ?? MessagePayload()
    add(&all)
    payload = all.isEmpty ? nil : all
  }

  /// Says what it is, the first thing that is said of it counts. It is a message, though it may have no text.
  package mutating func carry(_ content: MessageContent) {
    carry { $0.content = $0.content ?? content.bounded }
    message.body = message.body ?? ""
  }
}

extension InboundMessage {
  /// A message as it came.
  package init(_ message: Message) {
    // By the one that Swift makes: what is written within the type itself copies the whole when it is done.
    self.init(message: message)
  }
}
