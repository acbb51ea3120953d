import type { Call, Link } from '../connection/link.ts'
import type { LinkPool } from '../connection/link-pool.ts'
import type { Dialect } from './found.ts'

/** Begins a transaction with a snapshot. The first statement, not the beginning, takes it. */
export async function beginSnapshot({ statements }: Dialect, link: Link, first?: readonly Call[]): Promise<void> {
  const begin = { statement: statements.beginSnapshot, parameters: [] }
  const [error] = await link.run([begin, ...(first ?? [{ statement: statements.probe, parameters: [] }])])
  if (error !== undefined) throw error
}

/** Each node has its own snapshot, taken when it is first used. Nobody commits until all have one: those who write through
 *  the coordinator pass its gate, and those who write to a node themselves pass that of the node. `gates` has connections
 *  to the coordinator that writers do not need: they may wait for the gate while they hold all of theirs. `some`
 *  has a shard of each part of the tables, if that is known. */
export async function beginOnAllNodes(
  dialect: Dialect,
  link: Link,
  gates: LinkPool,
  some: readonly number[] = [],
): Promise<void> {
  const { statements, placement } = dialect
  const shards = some.length > 0 ? some : Array.from({ length: placement.shards }, (_, shard) => shard)
  const each = (statement: Call['statement']): readonly Call[] =>
    shards.map((shard) => ({ statement, parameters: [shard] }))
  const gate = await gates.acquire()
  try {
    const [refused] = await gate.run([
      { statement: statements.begin, parameters: [] },
      { statement: statements.closeGate, parameters: [] },
      ...each(statements.closeGateOf),
    ])
    if (refused !== undefined) throw refused
    await beginSnapshot(dialect, link, each(statements.touch))
  } finally {
    await gate.run([{ statement: statements.rollback, parameters: [] }]).catch(() => undefined)
    gates.release(gate)
  }
}
