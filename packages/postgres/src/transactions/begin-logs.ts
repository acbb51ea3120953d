import { sequenceOfKey } from '@hashrange/engine'
import type { Call } from '../connection/link.ts'
import type { LinkPool } from '../connection/link-pool.ts'
import type { Dialect } from '../reads/found.ts'
import type { LogRun } from './write-set.ts'

export interface LogPaths {
  readonly dialect: Dialect
  readonly writers: LinkPool
  /** The logs that are known to have been started. */
  readonly knownLogs: Set<string>
}

/** The first entry of a log follows every entry of every log, and what a copy may have put into the log itself. Later
 *  ones only need to follow their own. */
export async function beginLogs(paths: LogPaths, runs: readonly LogRun[]): Promise<void> {
  const { dialect, writers, knownLogs } = paths
  const unknown = new Map(runs.filter(({ name }) => !knownLogs.has(name)).map((run) => [run.name, run]))
  if (unknown.size === 0) return
  const logs = [...unknown.values()]
  const link = await writers.acquire()
  try {
    let last = 0n
    const learn = (sequence: bigint): void => {
      if (sequence > last) last = sequence
    }
    const [unread] = await link.run(lastCalls(dialect, logs, learn))
    if (unread !== undefined) throw unread
    const { beginLog } = dialect.statements
    const [unwritten] = await link.run(
      logs.map(({ shard, log }) => ({ statement: beginLog, parameters: [shard, log, last] })),
    )
    if (unwritten !== undefined) throw unwritten
  } finally {
    writers.release(link)
  }
  for (const name of unknown.keys()) knownLogs.add(name)
}

function lastCalls(
  { statements }: Dialect,
  logs: readonly LogRun[],
  learn: (sequence: bigint) => void,
): readonly Call[] {
  return [
    {
      statement: statements.lastSequence,
      parameters: [],
      onRow: ([value]) => learn(value?.readBigInt64BE() ?? 0n),
    },
    ...logs.map(({ shard, log }): Call => ({
      statement: statements.entries.rangeReverse,
      parameters: [log, Buffer.concat([log, aboveSequences]), 1n, shard],
      onRow: ([key]) => {
        if (key?.length === log.length + 8) learn(sequenceOfKey(key))
      },
    })),
  ]
}

const aboveSequences = Buffer.alloc(9, 0xff)
