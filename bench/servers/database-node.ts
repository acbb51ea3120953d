import { readdirSync, readFileSync } from 'node:fs'

/** One PostgreSQL on this machine, by the process that all its others come from. */
export interface DatabaseNode {
  readonly name: string
  readonly pid: number
}

/** Processor time that a process and its threads have used so far, in microseconds. Unlike throughput, it changes little when
 *  others are busy. Zero where the system does not tell. */
export function cpuMicrosecondsOf(pid: number | string): number {
  let nanoseconds = 0
  try {
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ', 1)[0])
    }
  } catch {
    // It has ended.
  }
  return nanoseconds / 1_000
}

/** What each process of a node has used so far. */
export type NodeTimes = ReadonlyMap<string, number>

export function timesOf({ pid }: DatabaseNode): NodeTimes {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
  return new Map(processes.map((name) => [name, cpuMicrosecondsOf(name)]))
}

/** What was used in between, also by processes that have begun since. */
export function usedBetween(before: NodeTimes, after: NodeTimes): number {
  let used = 0
  for (const [name, microseconds] of after) used += microseconds - (before.get(name) ?? 0)
  return used
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}
