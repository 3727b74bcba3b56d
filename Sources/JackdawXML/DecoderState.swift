// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Everything a decoder knows, at one address and without a class's checks of exclusive access.
struct DecoderState: ~Copyable {
  private let limits: DecoderLimits
  private var scanner: StreamScanner
  private var parser: PushParser?
  private var failure: DecodeError?
  /// The beginning of what is not complete: all before the stream's opening tag, then all behind the last whole tag.
  private var held: [UInt8] = []
  /// The opening tag as it came, to open a fresh parser with.
  private var header: [UInt8] = []
  /// Bytes that were parsed since the last event: a parser that grew on a big stanza is exchanged.
  private var parsedBytes = 0
  /// Whether a stanza is being left out; asked for each, which the omission itself is too large for.
  private var isLeavingOut = false
  private var omission: Omission?

  var isFeeding = false
  var isStopped = false
  /// Bytes fed since the last delivered event.
  var undelivered = 0
  /// Increased by each restart.
  private(set) var generation = 0

  /// What was found: something to deliver, or a part of a stanza.
  enum Found {
    case event(StreamEvent)
    case part(Element)
  }

  /// Whether a stanza whose XML is wrong is left out.
  var leavesOutFaults = false

  /// Whether a large stanza may be cut up.
  var allowsParts: Bool {
    get { scanner.allowsParts }
    set { scanner.allowsParts = newValue }
  }

  /// The receiver has looked at a part.
  mutating func partTaken(_ isWanted: Bool) {
    scanner.partTaken(isWanted)
    if isWanted { parser?.dropPart() }
  }

  var isWithinElement: Bool { scanner.isInUnit }
  var losesStanza: Bool { scanner.failure != nil && scanner.isInStanza }

  init(limits: DecoderLimits) {
    self.limits = limits
    scanner = StreamScanner(limits: limits)
  }

  mutating func restart() -> Int {
    defer {
      scanner = StreamScanner(limits: limits)
      parser = nil
      failure = nil
      held = []
      header = []
      parsedBytes = 0
      endOmission()
      isStopped = false
      undelivered = 0
      generation += 1
    }
    return undelivered
  }

  /// Reads until the next event or the end of the bytes. `position` then is behind what was read.
  mutating func next(
    _ bytes: UnsafePointer<UInt8>, _ position: inout Int, _ count: Int
  ) throws(DecodeError) -> Found? {
    if let failure { throw failure }
    do throws(DecodeError) {
      while true {
        switch scanner.scan(bytes, &position, count) {
        case .input:
          try keep(bytes, position)
          return nil
        case .limit:
          try exceed(bytes, position)
        case .failed:
          // What stands in whole tags before it comes first.
          if !header.isEmpty { try parse(bytes, scanner.tagEnd) }
          if let failure = scanner.failure { throw failure }
        case .declaration:
          hold(bytes, position)
          try XMLDeclaration.check(held)
          held.removeAll()
        case .header:
          hold(bytes, position)
          swap(&header, &held)
          return .event(.opened(try openParser()))
        case .stanza:
          try parse(bytes, position)
          if isLeavingOut, let leftOut = takeLeftOut() { return .event(.leftOut(leftOut)) }
          return .event(.element(try takeStanza()))
        case .closed:
          try parse(bytes, position)
          if let omission { throw omission.reason }
          return .event(.closed)
        case .part:
          try parse(bytes, position)
          if isLeavingOut {
            scanner.leaveOut()
            continue
          }
          if let part = parser?.part() { return .part(part) }
          scanner.partTaken(false)
        }
      }
    } catch {
      failure = error
      parser = nil
      held = []
      endOmission()
      throw error
    }
  }

  /// Parses whole tags and holds the rest, at the end of what was fed.
  private mutating func keep(_ bytes: UnsafePointer<UInt8>, _ end: Int) throws(DecodeError) {
    guard scanner.isInUnit else { return }
    var start = scanner.unitStart
    if !header.isEmpty, scanner.tagEnd > start {
      try parse(bytes, scanner.tagEnd)
      start = scanner.tagEnd
    }
    if isLeavingOut {
      omission?.read(UnsafeBufferPointer(start: bytes + start, count: end - start))
      return scanner.leaveOut()
    }
    held.append(contentsOf: UnsafeBufferPointer(start: bytes + start, count: end - start))
  }

  private mutating func hold(_ bytes: UnsafePointer<UInt8>, _ end: Int) {
    held.append(contentsOf: UnsafeBufferPointer(start: bytes + scanner.unitStart, count: end - scanner.unitStart))
  }

  /// Parses what is held and then the unit up to `end`, which is behind a tag.
  private mutating func parse(_ bytes: UnsafePointer<UInt8>, _ end: Int) throws(DecodeError) {
    guard end > scanner.unitStart else { return }
    let piece = UnsafeBufferPointer(start: bytes + scanner.unitStart, count: end - scanner.unitStart)
    if isLeavingOut {
      omission?.read(piece)
      return
    }
    if parser == nil { _ = try openParser() }
    parsedBytes += held.count + piece.count
    if held.isEmpty { return try give(piece) }
    held.append(contentsOf: piece)
    var whole: [UInt8] = []
    swap(&whole, &held)
    try whole.withUnsafeBufferPointer { bytes throws(DecodeError) in try give(bytes) }
    if whole.capacity <= DecoderSizes.retainedBytes {
      whole.removeAll(keepingCapacity: true)
      swap(&whole, &held)
    }
  }

  /// Has libxml2 parse whole tags of a stanza, or of the end of the stream.
  private mutating func give(_ tags: UnsafeBufferPointer<UInt8>) throws(DecodeError) {
    do throws(DecodeError) {
      try parser?.parse(tags)
    } catch {
      guard error.isLimit || (leavesOutFaults && error != .outOfMemory) else { throw error }
      leaveOut(error)
      omission?.read(tags)
    }
  }

  /// The scanner met a limit at `end`.
  private mutating func exceed(_ bytes: UnsafePointer<UInt8>, _ end: Int) throws(DecodeError) {
    guard let excess = scanner.excess.map({ DecodeError.limit("\($0)") }) else { return }
    // What stands in whole tags before it comes first.
    try parse(bytes, scanner.tagEnd)
    if !isLeavingOut {
      let before = held
      leaveOut(excess)
      before.withUnsafeBufferPointer { omission?.read($0) }
    }
    let start = max(scanner.unitStart, scanner.tagEnd)
    omission?.read(UnsafeBufferPointer(start: bytes + start, count: end - start))
    scanner.leaveOut()
  }

  /// The stanza is not wanted any more. What was parsed of it goes with the parser, and with the names in its dictionary.
  @inline(never)
  private mutating func leaveOut(_ reason: DecodeError) {
    isLeavingOut = true
    omission = Omission(reason, envelope: parser?.envelope())
    parser = nil
    held = []
  }

  private mutating func endOmission() {
    isLeavingOut = false
    omission = nil
  }

  /// The stanza that has ended, if it was left out.
  @inline(never)
  private mutating func takeLeftOut() -> LeftOutStanza? {
    guard let omission else { return nil }
    endOmission()
    parsedBytes = 0
    return omission.finished { tag in
      do throws(DecodeError) {
        _ = try openParser()
        try tag.withUnsafeBufferPointer { bytes throws(DecodeError) in try parser?.parse(bytes) }
        return parser?.take()
      } catch {
        parser = nil
        return nil
      }
    }
  }

  /// Makes a parser that stands behind the stream's opening tag.
  private mutating func openParser() throws(DecodeError) -> Element {
    var parser = try PushParser(limits: limits)
    let element = try header.withUnsafeBufferPointer { bytes throws(DecodeError) in
      try parser.parse(bytes)
      return parser.take()
    }
    guard let element else { throw .notWellFormed("the stream's opening tag is none") }
    self.parser = consume parser
    return element
  }

  private mutating func takeStanza() throws(DecodeError) -> Element {
    guard let element = parser?.take() else { throw .notWellFormed("a stanza does not end where its tags do") }
    // The parser keeps every name and the room for its largest stanza. Between two stanzas it can be exchanged, unseen:
    // a fresh one reads the stream's opening tag again and goes on. So a session may meet any number of names.
    if parser?.isWorn == true || parsedBytes > DecoderSizes.wearingStanza { parser = nil }
    parsedBytes = 0
    return element
  }
}
