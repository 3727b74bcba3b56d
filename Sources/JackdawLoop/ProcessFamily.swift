// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

/// A child and what it started, as far as that is to be ended with it.
struct ProcessFamily {
  private enum Kind {
    case none
    /// All of a process group, which the child leads.
    case group
    /// The child and its descendants, in a group that is ours as well.
    case tree
  }

  /// A process; the time of its start tells it from a later one of the same number (proc(5)).
  private struct Member: Equatable {
    var id: pid_t
    var start: String
  }

  private let kind: Kind
  private let child: pid_t
  /// The descendants, remembered: one whose parent has ended is nobody's descendant.
  private var members: [Member] = []

  private init(_ kind: Kind, _ child: pid_t) {
    self.kind = kind
    self.child = child
  }

  static let none = ProcessFamily(.none, 0)
  static func group(_ leader: pid_t) -> ProcessFamily { ProcessFamily(.group, leader) }
  static func descendants(of child: pid_t) -> ProcessFamily { ProcessFamily(.tree, child) }

  /// Finds out who belongs to it, before its members begin to end.
  mutating func remember() {
    guard kind == .tree else { return }
    let all = ProcessTable.all
    var found: Set<pid_t> = [child]
    var count = 0
    while count < found.count {
      count = found.count
      for process in all where found.contains(process.parent) { found.insert(process.id) }
    }
    members = all.filter { found.contains($0.id) && $0.id != child }.map { Member(id: $0.id, start: $0.start) }
  }

  /// Sends a signal to all of them. The child has not been waited for, so that its number is still its own.
  func send(_ signal: Int32) {
    switch kind {
    case .none: break
    case .group: kill(-child, signal)
    case .tree:
      kill(child, signal)
      let all = ProcessTable.all
      for member in members where all.contains(where: { $0.id == member.id && $0.start == member.start }) {
        kill(member.id, signal)
      }
    }
  }

  /// Whether others than the child still run.
  var hasOthers: Bool {
    switch kind {
    case .none: false
    case .group: ProcessTable.all.contains { $0.group == child && $0.id != child && !$0.isZombie }
    case .tree:
      ProcessTable.all.contains { process in
        !process.isZombie && members.contains(Member(id: process.id, start: process.start))
      }
    }
  }
}

/// The machine's processes, from `/proc/*/stat` (proc(5)).
private enum ProcessTable {
  struct Process {
    var id: pid_t
    var parent: pid_t
    var group: pid_t
    var isZombie: Bool
    var start: String
  }

  static var all: [Process] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var processes: [Process] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if let id = pid_t(name), let process = process(id) { processes.append(process) }
    }
    return processes
  }

  private static func process(_ id: pid_t) -> Process? {
    let file = open("/proc/\(id)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: LoopLimits.processStatus)
    let count = read(file, &bytes, bytes.count)
    // The name, in brackets, may hold brackets and spaces.
    guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[(end + 1)..<count].split(separator: UInt8(ascii: " ")).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard fields.count > 19, let parent = pid_t(fields[1]), let group = pid_t(fields[2]) else { return nil }
    return Process(id: id, parent: parent, group: group, isZombie: fields[0] == "Z", start: fields[19])
  }
}
