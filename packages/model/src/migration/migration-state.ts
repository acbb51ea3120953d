import type { StoredItem } from '../client/entity-runtime.ts'
import { ModelError } from '../errors.ts'
import type { TableDescription } from '../description.ts'
import type { MigrationPair } from './migration-pair.ts'

/** What tells items of a migration from those of the model: clients pass over them. ON DISK. */
export const stateKind = 'hashrange.migration'

/** Where the progress of a migration is kept, unless another key is given. */
export const usualStateKey = 'HASHRANGE#MIGRATION'

/** For so long a part belongs to its worker, which renews this with every page. */
export const leaseMs = 15_000

export interface PartState {
  /** How many parts each table is divided into. */
  readonly segments: number
  readonly pass: number
  /** The table that is being read, and the last key that was read in it. */
  readonly table: number
  readonly cursor?: StoredItem
  /** In this pass, and in all. */
  readonly written: number
  readonly counts: Counts
  readonly isDone: boolean
}

export interface Counts {
  readonly items: number
  readonly written: number
  /** Items whose key fits neither version, or that are of no known kind. */
  readonly strange: number
  /** Unique values that two items have. */
  readonly taken: number
}

export const noCounts: Counts = { items: 0, written: 0, strange: 0, taken: 0 }

/** The progress of a migration, kept in the table itself: one item for each part of the work. ON DISK: the attributes `state`
 *  (JSON), `worker` and `until` (milliseconds since 1970) under the declared key. */
export class MigrationState {
  readonly #pair: MigrationPair
  readonly #tableName: string
  readonly #table: TableDescription
  readonly #key: string
  readonly #id: string

  constructor(pair: MigrationPair, key: string, id: string) {
    const [first] = pair.new.tables
    if (first === undefined) throw new Error('a model has a table')
    this.#pair = pair
    const [tableName, table] = first
    this.#tableName = tableName
    this.#table = table
    this.#key = key
    this.#id = id
    if (table.partitionKey.type !== 'S' || (table.sortKey !== undefined && table.sortKey.type !== 'S')) {
      throw new ModelError(
        'INVALID_MODEL',
        `The progress of a migration is kept in the table ${tableName}, whose keys must be strings for it.`,
      )
    }
  }

  async read(part: number): Promise<PartState | undefined> {
    const { connection, meter } = this.#pair
    const input = { TableName: this.#tableName, Key: this.#keyOf(part), ConsistentRead: true }
    const { Item } = await connection.send('GetItem', input, meter)
    const text = Item?.['state']?.S
    return text === undefined ? undefined : (JSON.parse(text) as PartState)
  }

  /** Takes a part for a worker, if no other one has it; undefined otherwise. */
  async take(part: number, worker: string, first: PartState): Promise<PartState | undefined> {
    const nowMs = Date.now()
    const { discriminator } = this.#table
    const { connection, meter } = this.#pair
    try {
      const { Attributes } = await connection.send(
        'UpdateItem',
        {
          TableName: this.#tableName,
          Key: this.#keyOf(part),
          UpdateExpression: `SET #worker = :worker, #until = :until, #state = if_not_exists(#state, :first)${discriminator === '' ? '' : ', #kind = :kind'}`,
          ConditionExpression: 'attribute_not_exists(#worker) OR #worker = :worker OR #until < :now',
          ExpressionAttributeNames: {
            '#worker': 'worker',
            '#until': 'until',
            '#state': 'state',
            ...(discriminator !== '' && { '#kind': discriminator }),
          },
          ExpressionAttributeValues: {
            ':worker': { S: worker },
            ':until': { N: String(nowMs + leaseMs) },
            ':now': { N: String(nowMs) },
            ':first': { S: JSON.stringify(first) },
            ...(discriminator !== '' && { ':kind': { S: stateKind } }),
          },
          ReturnValues: 'ALL_NEW',
        },
        meter,
      )
      return JSON.parse(Attributes?.['state']?.S ?? 'null') as PartState
    } catch (error) {
      if (isRefused(error)) return undefined
      throw error
    }
  }

  /** Fails if another worker has taken the part, because this one was silent for too long. */
  async save(part: number, worker: string, state: PartState, isReleased = false): Promise<void> {
    const { connection, meter } = this.#pair
    try {
      await connection.send(
        'UpdateItem',
        {
          TableName: this.#tableName,
          Key: this.#keyOf(part),
          UpdateExpression: 'SET #state = :state, #until = :until',
          ConditionExpression: '#worker = :worker',
          ExpressionAttributeNames: { '#worker': 'worker', '#until': 'until', '#state': 'state' },
          ExpressionAttributeValues: {
            ':state': { S: JSON.stringify(state) },
            ':until': { N: String(isReleased ? 0 : Date.now() + leaseMs) },
            ':worker': { S: worker },
          },
        },
        meter,
      )
    } catch (error) {
      if (!isRefused(error)) throw error
      throw new ModelError('CONFLICT', 'Another worker has taken over this part of the migration.', {
        cause: error,
      })
    }
  }

  async remove(parts: number): Promise<void> {
    const { connection, meter } = this.#pair
    for (let part = 0; part < parts; part++)
      await connection.send('DeleteItem', { TableName: this.#tableName, Key: this.#keyOf(part) }, meter)
  }

  #keyOf(part: number): StoredItem {
    const { partitionKey, sortKey } = this.#table
    const own = `${this.#id}#${part}`
    if (sortKey === undefined) return { [partitionKey.name]: { S: `${this.#key}#${own}` } }
    return { [partitionKey.name]: { S: this.#key }, [sortKey.name]: { S: own } }
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException'
}
