import { cpuSeconds } from '../servers/cpu-use.ts'
import { MemoryWatch, largerOf, type MemoryUse } from '../servers/memory-use.ts'
import { median } from './median.ts'
import type { RoundResult } from './round-result.ts'

export interface Contestant {
  readonly name: string
  /** The process that does the work. */
  readonly pid: number
  /** Whether the same process makes the calls, and so knows its processor time best. */
  readonly isCaller?: boolean
  readonly run: (seconds: number) => Promise<RoundResult>
}

/** Medians over the rounds, the peak of memory, and the rounds themselves. */
export interface Measurement {
  readonly name: string
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly callerCpu: number
  /** Processor time of the process that does the work, by request; NaN where the system does not tell. */
  readonly cpuMicroseconds: number
  readonly memory: MemoryUse
  readonly rounds: readonly Round[]
}

interface Round extends RoundResult {
  readonly cpuMicroseconds: number
}

/** Short rounds in turn (A B C A B C …) after one warm-up each: what else the machine does falls on all alike. */
export async function alternate(
  contestants: readonly Contestant[],
  timing: { readonly rounds: number; readonly secondsPerRound: number },
  onRound: (text: string) => void,
): Promise<Measurement[]> {
  const rounds = contestants.map((): Round[] => [])
  const peaks = contestants.map((): MemoryUse => ({ rssBytes: 0 }))
  for (let round = 0; round <= timing.rounds; round++) {
    for (const [position, contestant] of contestants.entries()) {
      onRound(
        round === 0 ? `${contestant.name}, warm-up` : `${contestant.name}, round ${round} of ${timing.rounds}`,
      )
      const watch = new MemoryWatch(contestant.pid)
      const result = await runRound(contestant, timing.secondsPerRound)
      peaks[position] = largerOf(peaks[position] ?? { rssBytes: 0 }, await watch.peak())
      if (round > 0) rounds[position]?.push(result)
    }
  }
  return contestants.map(({ name }, position) => summarize(name, rounds[position] ?? [], peaks[position]))
}

async function runRound({ pid, isCaller, run }: Contestant, seconds: number): Promise<Round> {
  const before = await cpuSeconds(pid)
  const result = await run(seconds)
  const after = await cpuSeconds(pid)
  const used =
    isCaller === true ? result.callerCpu * result.seconds : (after ?? Number.NaN) - (before ?? Number.NaN)
  return { ...result, cpuMicroseconds: (used / result.requests) * 1e6 }
}

function summarize(name: string, rounds: readonly Round[], memory: MemoryUse = { rssBytes: 0 }): Measurement {
  const middle = (member: keyof Round): number => median(rounds.map((round) => round[member]))
  return {
    name,
    perSecond: middle('perSecond'),
    p50Ms: middle('p50Ms'),
    p99Ms: middle('p99Ms'),
    callerCpu: middle('callerCpu'),
    cpuMicroseconds: middle('cpuMicroseconds'),
    memory,
    rounds,
  }
}
