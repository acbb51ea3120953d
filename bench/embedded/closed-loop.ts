import { setImmediate as nextTurn } from 'node:timers/promises'
import { Latencies } from '../measure/latencies.ts'
import type { RoundResult } from '../measure/round-result.ts'

const callsPerTurn = 1_000

/** Callers within the process, each making its next call when its last one is answered. `call` is given the number of
 *  the call. */
export async function closedLoop(
  seconds: number,
  callers: number,
  call: (number: number) => unknown,
): Promise<RoundResult> {
  const latencies = new Latencies()
  let calls = 0
  const cpuBefore = process.cpuUsage()
  const startedAtMs = performance.now()
  const endAtMs = startedAtMs + seconds * 1_000
  const caller = async (): Promise<void> => {
    let beforeMs = performance.now()
    while (beforeMs < endAtMs) {
      const number = calls++
      const answer = call(number)
      // A raw read has no promise to wait for, and should not be charged for one.
      if (answer instanceof Promise) await answer
      const nowMs = performance.now()
      latencies.add(nowMs - beforeMs)
      beforeMs = nowMs
      // Calls that never wait for I/O would otherwise keep timers, and LMDB's renewal of its snapshot, from running.
      if (number % callsPerTurn === 0) await nextTurn()
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const elapsedSeconds = (performance.now() - startedAtMs) / 1_000
  const cpu = process.cpuUsage(cpuBefore)
  return {
    requests: calls,
    seconds: elapsedSeconds,
    perSecond: calls / elapsedSeconds,
    ...latencies.quantiles(),
    callerCpu: (cpu.user + cpu.system) / 1e6 / elapsedSeconds,
  }
}
