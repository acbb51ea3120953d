import { Pool } from 'pg'
import { closedLoop } from '../embedded/closed-loop.ts'
import { takeOrders } from '../measure/order-taker.ts'
import type { RoundResult } from '../measure/round-result.ts'
import { itemsPerQuery } from '../workload/operations.ts'
import type { BareSqlOrder } from './bare-sql-order.ts'

// The limit of a server on PostgreSQL: the statements that a request needs, with the same driver, on the same rows, and nothing else.
// A read is one round trip; a write of an item and its index entry is two, the second of which commits.
// Arguments: the database's URL and the number of connections.
const [url = '', connections = '10'] = process.argv.slice(2)
const pool = new Pool({ connectionString: url, max: Number(connections) })

interface Row {
  readonly shard: number
  readonly key: Buffer
  readonly value: Buffer
}

let items: readonly Row[] = []
let entries: readonly Row[] = []

takeOrders(async (order: BareSqlOrder): Promise<RoundResult | undefined> => {
  if (order.kind === 'choose') {
    items = await rowsOfSpace(0x10, order.count)
    entries = await rowsOfSpace(0x11, order.count)
    return undefined
  }
  const call = { GetItem: getItem, Query: query, PutItem: putItem }[order.operation]
  return closedLoop(order.seconds, order.callers, call)
})

async function getItem(): Promise<void> {
  const { shard, key } = anyOf(items)
  const { rows } = await pool.query({
    name: 'get',
    text: 'SELECT value FROM hashrange.data WHERE shard = $1 AND key = $2',
    values: [shard, key],
  })
  if (rows.length !== 1) throw new Error('An item is missing.')
}

/** The first items of a partition: a key begins with its space, table and hash. */
async function query(): Promise<void> {
  const { shard, key } = anyOf(items)
  const from = key.subarray(0, partitionBytes)
  const to = Buffer.concat([from, Buffer.alloc(keyBytes - partitionBytes, 0xff)])
  const { rows } = await pool.query({
    name: 'query',
    text: `SELECT key, value FROM hashrange.data WHERE shard = $1 AND key >= $2 AND key < $3 ORDER BY key LIMIT ${itemsPerQuery}`,
    values: [shard, from, to],
  })
  if (rows.length === 0) throw new Error('A partition is missing.')
}

const partitionBytes = 21
const keyBytes = 1_978

async function putItem(): Promise<void> {
  const item = anyOf(items)
  const entry = anyOf(entries)
  const client = await pool.connect()
  try {
    await client.query({
      name: 'read',
      text: 'SELECT version, value FROM hashrange.data WHERE shard = $1 AND key = $2',
      values: [item.shard, item.key],
    })
    await client.query({
      name: 'write',
      text: `WITH item AS (UPDATE hashrange.data SET value = $3 WHERE shard = $1 AND key = $2)
             UPDATE hashrange.data SET value = $6 WHERE shard = $4 AND key = $5`,
      values: [item.shard, item.key, item.value, entry.shard, entry.key, entry.value],
    })
  } finally {
    client.release()
  }
}

async function rowsOfSpace(space: number, count: number): Promise<readonly Row[]> {
  const { rows } = await pool.query<Row>(
    'SELECT shard, key, value FROM hashrange.data WHERE key >= $1 AND key < $2 ORDER BY random() LIMIT $3',
    [Buffer.of(space), Buffer.of(space + 1), count],
  )
  if (rows.length === 0) throw new Error('The table has no rows.')
  return rows
}

function anyOf(rows: readonly Row[]): Row {
  const row = rows[Math.floor(Math.random() * rows.length)]
  if (row === undefined) throw new Error('There are no rows.')
  return row
}
