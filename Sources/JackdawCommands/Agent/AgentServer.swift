// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
package import JackdawLoop
import JackdawProtocol
import JackdawSession

/// Lets other processes of the user run their commands in the sessions of this one: a socket for each account, connections, and what
/// runs for them. Docs/AGENT.md has what is said there.
@Client package final class AgentServer {
  /// Where it stands.
  private enum State {
    case open
    /// It waits for what still runs.
    case leaving(Latch)
    case closed
  }

  /// Where clients of an account come in.
  private struct Door {
    var account: Account
    /// nil: who made the socket keeps it.
    var name: String?
    /// Of the socket that was made; nil with its name.
    var identity: AgentFolder.Identity?
    var descriptor: Int32
    var watch: DescriptorWatch?
  }

  /// Called whenever the number of commands that run, or of connections, has changed.
  package var onChange: (@Client () -> Void)?
  /// Somebody asked for the end of this process.
  package var onStop: (@Client () -> Void)?
  /// The last socket was taken away: nobody can come in any more.
  package var onLoss: (@Client () -> Void)?

  let host: Application
  let parts: AgentParts
  /// Bounded by the accounts of the configuration.
  private var doors: [Door] = []
  /// Bounded by ``CommandLimits/agentClients``. The oldest comes first.
  private var peers: [AgentPeer] = []
  private var state = State.open
  /// Nobody can be let in until then, as there are no descriptors left.
  private var pause: LoopTimer?
  /// Tells when a socket is taken away.
  private var watch: FolderWatch?
  /// For accounts whose commands another process takes; nil: there is no place for sockets.
  private let succession: AgentSuccession?
  /// What the words of a message came to, for the next that is sent in the same way.
  var message = RepeatedMessage()

  /// - Parameter host: whose sessions they are.
  package init(host: Application, parts: AgentParts) {
    self.host = host
    self.parts = parts
    succession = parts.folder.map { AgentSuccession(in: $0, clock: host.clock) }
    succession?.onTurn = { [weak self] account throws(CommandFailure) in try self?.offerInTurn(account) }
  }

  // MARK: Coming in

  /// Opens a socket for an account's commands.
  /// - Returns: false: another process has it, and keeps it.
  /// - Throws: ``CommandFailure`` with code 74 where there is no place for one.
  @discardableResult func offer(_ account: Account) throws(CommandFailure) -> Bool {
    if doors.contains(where: { $0.account === account }) { return true }
    guard let folder = parts.folder else { return false }
    try folder.make()
    let name = AgentFolder.name(of: account.jid)
    guard let descriptor = try folder.listen(as: name) else { return false }
    watchFolder(folder)
    open(Door(account: account, name: name, identity: folder.identity(of: name), descriptor: descriptor))
    return true
  }

  /// Opens a socket for an account's commands; where another process has it, once that one has ended.
  /// - Throws: as ``offer(_:)``.
  func offerInTurn(_ account: Account) throws(CommandFailure) {
    succession?.forget(account)
    guard try !offer(account), let folder = parts.folder else { return }
    watchFolder(folder)
    succession?.waitTurn(of: account)
  }

  private func watchFolder(_ folder: AgentFolder) {
    if watch == nil { watch = FolderWatch(folder.path) { [weak self] in self?.socketsWent() } }
  }

  /// Takes over a socket that somebody else listens on: of socket activation (sd_listen_fds(3)).
  func adopt(_ descriptor: Int32, for account: Account) {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    open(Door(account: account, name: nil, descriptor: descriptor))
  }

  private func open(_ door: Door) {
    var door = door
    let descriptor = door.descriptor
    door.watch = EventLoop.main.watch(descriptor, .readable) { [weak self] _ in self?.accept(descriptor) }
    doors.append(door)
  }

  /// Whether commands can come in.
  package var isOpen: Bool { !doors.isEmpty }

  private func accept(_ listener: Int32) {
    while true {
      do throws(LocalSocket.Failure) {
        guard let descriptor = try LocalSocket.accept(listener) else { return }
        guard LocalSocket.peer(of: descriptor)?.user == geteuid(), makePlace() else {
          close(descriptor)
          continue
        }
        let account = doors.first { $0.descriptor == listener }?.account
        let channel = LineChannel(
          adopting: descriptor, lineLimit: CommandLimits.agentLine, queueLimit: CommandLimits.agentQueue)
        peers.append(AgentPeer(channel, of: self, account: account))
        onChange?()
      } catch {
        // There are no descriptors left.
        if [EMFILE, ENFILE].contains(error.errno), let idle = peers.first(where: { !$0.isBusy }) {
          idle.close()
        } else {
          return waitAtDoors()
        }
      }
    }
  }

  /// Who has asked for nothing makes place for who comes, the first who came.
  private func makePlace() -> Bool {
    guard peers.count >= CommandLimits.agentClients else { return true }
    guard let idle = peers.first(where: { !$0.isBusy }) else { return false }
    idle.close()
    return peers.count < CommandLimits.agentClients
  }

  /// Who waits is let in when somebody has gone, or after a moment: the system would tell of them at once and for ever.
  private func waitAtDoors() {
    for door in doors { door.watch?.interest = [] }
    pause = host.clock.schedule(after: CommandLimits.agentPause) { [weak self] in self?.openDoors() }
  }

  private func openDoors() {
    pause = nil
    for door in doors { door.watch?.interest = .readable }
  }

  /// A connection is gone.
  func left(_ peer: AgentPeer) {
    peers.removeAll { $0 === peer }
    if pause != nil { openDoors() }
    changed()
  }

  /// What runs has changed.
  func changed() {
    onChange?()
    if case .leaving(let end) = state, runs.isEmpty { end.open() }
  }

  private var runs: [AgentRun] { peers.flatMap(\.running) }
  /// How many commands run for others.
  package var runCount: Int { runs.count }
  /// How many are connected.
  package var clientCount: Int { peers.count }
  /// Whether a command may be begun.
  var takesCommands: Bool { if case .open = state { true } else { false } }

  /// Whom the sockets are for.
  var accounts: [Account] { doors.map(\.account) }

  // MARK: Leaving

  /// This process is stopped for a while: nobody comes in, and what waits for as long as it likes goes on elsewhere.
  func suspend() {
    closeDoors()
    for run in runs { _ = run.handOver() }
  }

  /// Takes no more commands, and waits for those that run, for a while.
  /// - Parameter isHurried: they are ended at once.
  func leave(isHurried: Bool) async {
    guard case .open = state else { return }
    closeDoors()
    let end = Latch(clock: host.clock)
    state = .leaving(end)
    var others = 0
    for run in runs where !run.handOver() && !run.leaveOff() {
      others += 1
      if isHurried { run.cutOff() }
    }
    if others > 0, !isHurried {
      host.output.notice(
        others == 1
          ? "A command of another program is being done. Ctrl-C does not wait for it."
          : "\(others) commands of other programs are being done. Ctrl-C does not wait for them.")
    }
    if !runs.isEmpty {
      try? await end.wait(for: isHurried ? CommandLimits.hurriedFarewell : CommandLimits.agentFarewell)
    }
    let left = runs
    if !left.isEmpty {
      let last = Latch(clock: host.clock)
      state = .leaving(last)
      for run in left { run.cutOff() }
      try? await last.wait(for: CommandLimits.hurriedFarewell)
    }
    state = .closed
    for peer in peers where !peer.waitsForTheEnd { peer.close() }
    peers.removeAll { !$0.waitsForTheEnd }
  }

  /// What runs is not waited for any longer.
  func hurry() { if case .leaving(let end) = state { end.open() } }

  private func closeDoors() {
    watch = nil
    succession?.end()
    for door in doors {
      // Before the socket goes: who finds its name is still answered.
      if let name = door.name, let folder = parts.folder, !isLost(door) { unlink("\(folder.path)/\(name)") }
      shut(door)
    }
    doors = []
  }

  private func shut(_ door: Door) {
    door.watch?.cancel()
    close(door.descriptor)
  }

  /// Whether its socket was taken away: no command finds it, and another process may have one in its place.
  private func isLost(_ door: Door) -> Bool {
    guard let name = door.name, let folder = parts.folder else { return false }
    return folder.identity(of: name) != door.identity
  }

  /// Something has gone from the folder: whoever clears it away, as the system does when the user logs out, leaves us running.
  private func socketsWent() {
    succession?.socketsWent()
    let lost = doors.filter(isLost)
    guard !lost.isEmpty else { return }
    doors.removeAll(where: isLost)
    for door in lost { shut(door) }
    if doors.isEmpty { onLoss?() }
  }
}
