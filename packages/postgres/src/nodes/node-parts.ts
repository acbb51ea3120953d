import type { Write } from '@hashrange/engine'
import type { Call } from '../connection/link.ts'
import { encodeInt8Array } from '../connection/messages.ts'
import type { NodeParts } from '../reads/found.ts'
import type { Placement } from '../reads/placement.ts'
import { partStatements, type Statements } from '../schema/statements.ts'
import { Rerouted } from '../transactions/rerouted.ts'
import type { Part, ShardMap } from './shard-map.ts'

/** The statements for all parts of the tables, whichever node has them. Made as they are needed. */
export class PartStatements {
  readonly #schema: string
  readonly #made = new Map<string, Statements>()

  constructor(schema: string) {
    this.#schema = schema
  }

  of({ suffixes }: Part): Statements {
    let made = this.#made.get(suffixes.entries)
    if (made === undefined) this.#made.set(suffixes.entries, (made = partStatements(this.#schema, suffixes)))
    return made
  }
}

export interface NodePartsOptions {
  readonly group: number
  readonly map: () => ShardMap
  readonly placement: () => Placement
  readonly parts: PartStatements
  readonly statements: Statements
}

/** What a node has, according to the latest map. If a part has moved since, the node says so. */
export function newNodeParts(options: NodePartsOptions): NodeParts {
  const { group, map, placement, parts, statements } = options
  const partOf = (shard: number): Part => {
    const part = map().parts[shard]
    if (part === undefined) throw new Rerouted(`no node has shard ${shard}`)
    return part
  }
  const has = (shard: number): boolean => map().parts[shard]?.group === group
  return {
    at: (shard) => parts.of(partOf(shard)),
    holds: (writes) => writes.every((write) => isWithin(placement(), has, write)),
    hold: (shards, isWrite): Call => {
      const ids = new Set<string>()
      for (const shard of shards) ids.add(partOf(shard).suffixes.entries)
      // Everybody locks them in the same order.
      const inOrder = Array.from(ids, BigInt).toSorted((a, b) => (a < b ? -1 : 1))
      const parameters = [encodeInt8Array(inOrder), isWrite ? yes : no]
      return { statement: statements.holdParts, parameters }
    },
  }
}

const yes = Buffer.of(1)
const no = Buffer.of(0)

function isWithin(placement: Placement, has: (shard: number) => boolean, write: Write): boolean {
  if (write.kind === 'append') return has(placement.shardOf(write.log))
  // What every shard has is written in all, and a counter with parts everywhere is only added to in one.
  if (placement.isCopied(write.key) || (write.kind !== 'add' && placement.isScattered(write.key))) return false
  return has(placement.shardOf(write.key))
}
