// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc

private let target: FuzzTarget = {
  let name = getenv("JACKDAW_FUZZ_TARGET").map { String(cString: $0) }
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    fatalError("JACKDAW_FUZZ_TARGET names none of \(FuzzTarget.all.map(\.name))")
  }
  return target
}()

/// What libFuzzer, whose `main` is the program's, calls with each input: feeds the target that the environment names.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(Array(UnsafeBufferPointer(start: start, count: count)))
  do {
    try target.run(&input)
  } catch {
    fatalError("\(error)")
  }
  return 0
}
