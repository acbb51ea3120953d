import type { StoreFigure } from '@hashrange/engine'
import type { PoolFigures } from './connection/link-pool.ts'
import type { Outage } from './connection/outage.ts'

/** Counted as transactions go by. */
export class WriteCounts {
  groups = 0
  transactions = 0
  conflicts = 0
}

export interface Figured {
  readonly pools: Readonly<Record<string, PoolFigures>>
  readonly outage: Outage
  readonly writes: WriteCounts
}

export function figuresOf({ pools, outage, writes }: Figured): readonly StoreFigure[] {
  const ofPools = (value: (pool: PoolFigures) => number): StoreFigure['samples'] =>
    Object.entries(pools).map(([pool, figures]) => ({ labels: { pool }, value: value(figures) }))
  const one = (value: number): StoreFigure['samples'] => [{ labels: {}, value }]
  return [
    {
      name: 'connections',
      help: 'Connections to the database.',
      type: 'gauge',
      samples: ofPools(({ connections }) => connections),
    },
    {
      name: 'idle_connections',
      help: 'Connections to the database that are not in use.',
      type: 'gauge',
      samples: ofPools(({ idle }) => idle),
    },
    {
      name: 'waiting_for_connection',
      help: 'Requests that wait for a connection to the database.',
      type: 'gauge',
      samples: ofPools(({ waiting }) => waiting),
    },
    {
      name: 'up',
      help: 'Whether the database answers: 1, or 0 while requests are refused at once.',
      type: 'gauge',
      samples: one(outage.refusal === undefined ? 1 : 0),
    },
    {
      name: 'outages',
      help: 'How often the database stopped answering.',
      type: 'counter',
      samples: one(outage.count),
    },
    {
      name: 'groups',
      help: 'Transactions of the database that were attempted, each with a group of writes.',
      type: 'counter',
      samples: one(writes.groups),
    },
    {
      name: 'grouped_transactions',
      help: 'Writes in these groups. Divided by the groups, this is the mean size of a group.',
      type: 'counter',
      samples: one(writes.transactions),
    },
    {
      name: 'conflicts',
      help: 'Groups that were tried again because another server had changed the same entries.',
      type: 'counter',
      samples: one(writes.conflicts),
    },
  ]
}
