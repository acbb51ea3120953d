import { Engine } from '../engine.ts'
import { toJsonBytes } from '../wire/raw-json.ts'
import { unsealedStore } from '../layout/unsealed-store.ts'
import type { Store } from '../store/store.ts'
import { verifyStore } from '../verify/verify-store.ts'
import { simulateLives, ViolationError, type Inhabitants, type SimulationReport } from './lives.ts'
import { SeededRandom } from './seeded-random.ts'
import type { SimulatedTime } from './simulated-time.ts'

/** The whole database: acknowledged items exist, transactions are complete, and `verify` finds indexes, counts, the
 *  change log, tokens and expiry entries correct. */
export function simulateEngine(seed: number, folder: string): Promise<SimulationReport> {
  const random = new SeededRandom(seed)
  return simulateLives(random, folder, new EngineClients(random))
}

/** The same with values that are encrypted on the disk. */
export function simulateEncryptedEngine(seed: number, folder: string): Promise<SimulationReport> {
  const random = new SeededRandom(seed)
  return simulateLives(random, folder, new EngineClients(random, Buffer.alloc(32, seed)))
}

const TableName = 'things'
const scope = { accountId: '123456789012', region: 'eu-west-1' }
const startMs = Date.UTC(2026, 0, 1)

/** What an item may be: the writes that it may show. It is unknown whether the last of them happened. */
interface Known {
  acknowledged: string | undefined
  maybe: string[]
}

interface OwnTransaction {
  readonly version: string
  readonly keys: readonly [string, string]
  outcome: 'unknown' | 'done' | 'gone'
}

type Item = Readonly<Record<string, { readonly S?: string; readonly N?: string }>>

class EngineClients implements Inhabitants {
  readonly #random: SeededRandom
  readonly #items = new Map<string, Known>()
  readonly #transactions: OwnTransaction[] = []
  #versions = 0
  #nowMs = startMs
  readonly counts = { transactions: 0, refused: 0 }

  readonly #secret: Buffer | undefined

  constructor(random: SeededRandom, secret?: Buffer) {
    this.#random = random
    this.#secret = secret
  }

  async check(asItIs: Store): Promise<void> {
    const problems: string[] = []
    const store = await unsealedStore(asItIs, this.#secret)
    await verifyStore({ store, onFinding: ({ kind, problem }) => problems.push(`${kind}: ${problem}`) })
    if (problems.length > 0) throw new ViolationError(problems.slice(0, 5).join('\n'))
  }

  async work(asItIs: Store, time: SimulatedTime, isLast: boolean): Promise<void> {
    const store = await unsealedStore(asItIs, this.#secret)
    const baseMs = this.#nowMs
    const engine = await Engine.open({
      store,
      // The wall clock may jump between two starts, and does.
      clock: { now: () => (this.#nowMs = Math.max(startMs, baseMs + time.now())) },
      isMetered: false,
      onBackgroundError: () => undefined,
    })
    const call = async (operation: string, body: object): Promise<Record<string, unknown>> =>
      JSON.parse(
        toJsonBytes(await engine.execute(scope, 'DynamoDB_20120810', operation, body)).toString(),
      ) as Record<string, unknown>
    await createTable(call, time)
    await this.#look(call)
    this.#settleAll(await this.#shown(call))
    await this.#lookAtCounter(call)
    const clients = 1 + this.#random.below(3)
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let round = 0; round < (isLast ? 2 : 20 / clients); round++) {
          const isDone = await this.#write(call, client)
          if (this.#random.chance(isDone ? 0.2 : 0.8)) await time.pause(this.#random.below(2_000))
        }
      }),
    )
    await this.#look(call)
    this.#nowMs += this.#random.pick([0, 1_000, 3_600_000, -1_800_000])
  }

  /** Every item shows what was last acknowledged, or what may have come after it. */
  async #look(call: Call): Promise<void> {
    for (const [key, version] of await this.#shown(call)) {
      const known = this.#knownOf(key)
      if (version === known.acknowledged || known.maybe.includes(version ?? 'nothing')) continue
      throw new ViolationError(
        `${key} shows ${version}, not ${known.acknowledged} or one of ${known.maybe.join(', ')}`,
      )
    }
  }

  async #shown(call: Call): Promise<ReadonlyMap<string, string | undefined>> {
    const shown = new Map<string, string | undefined>()
    for (const key of this.#items.keys()) {
      const { Item } = (await call('GetItem', { TableName, Key: { pk: { S: key } }, ConsistentRead: true })) as {
        Item?: Item
      }
      shown.set(key, Item?.['version']?.S)
    }
    return shown
  }

  /** After a recovery, what is visible has happened: nothing reappears later. */
  #settleAll(shown: ReadonlyMap<string, string | undefined>): void {
    for (const transaction of this.#transactions) this.#settle(transaction, shown)
    for (const [key, known] of this.#items) {
      known.acknowledged = shown.get(key)
      known.maybe = []
    }
  }

  #settle(transaction: OwnTransaction, shown: ReadonlyMap<string, string | undefined>): void {
    if (transaction.outcome !== 'unknown') return
    const there = transaction.keys.filter((key) => shown.get(key) === transaction.version)
    if (there.length === 1) throw new ViolationError(`transaction ${transaction.version} is there in part`)
    transaction.outcome = there.length === 2 ? 'done' : 'gone'
  }

  async #lookAtCounter(call: Call): Promise<void> {
    const { Item } = (await call('GetItem', { TableName, Key: { pk: { S: 'counter' } } })) as { Item?: Item }
    const expected = this.#transactions.filter(({ outcome }) => outcome === 'done').length
    if (Number(Item?.['count']?.N ?? 0) !== expected)
      throw new ViolationError(`the counter is ${Item?.['count']?.N}, not ${expected}`)
  }

  /** Returns whether it was acknowledged. */
  async #write(call: Call, client: number): Promise<boolean> {
    const random = this.#random
    const version = `v${this.#versions++}`
    const keys = random.chance(0.5) ? [`${client}.a`, `${client}.b`] : [`${client}.${random.pick(['a', 'b', 'c'])}`]
    const isTransaction = keys.length === 2
    const deletes = !isTransaction && random.chance(0.2)
    const transaction: OwnTransaction | undefined = isTransaction
      ? { version, keys: [keys[0] ?? '', keys[1] ?? ''], outcome: 'unknown' }
      : undefined
    if (transaction !== undefined) this.#transactions.push(transaction)
    for (const key of keys) this.#knownOf(key).maybe.push(deletes ? 'nothing' : version)
    this.counts.transactions++
    try {
      if (isTransaction) await this.#transact(call, keys, version)
      else if (deletes) await call('DeleteItem', { TableName, Key: { pk: { S: keys[0] } } })
      else await call('PutItem', { TableName, Item: this.#item(keys[0] ?? '', version) })
    } catch {
      this.counts.refused++
      return false
    }
    // What was rejected before is gone for good, now that something came after it.
    for (const earlier of this.#transactions) {
      if (earlier.outcome === 'unknown' && earlier.keys[0].startsWith(`${client}.`)) earlier.outcome = 'gone'
    }
    for (const key of keys) {
      const known = this.#knownOf(key)
      known.acknowledged = deletes ? undefined : version
      known.maybe = []
    }
    if (transaction !== undefined) transaction.outcome = 'done'
    return true
  }

  async #transact(call: Call, keys: readonly string[], version: string): Promise<void> {
    await call('TransactWriteItems', {
      ClientRequestToken: version,
      TransactItems: [
        ...keys.map((key) => ({ Put: { TableName, Item: this.#item(key, version) } })),
        {
          Update: {
            TableName,
            Key: { pk: { S: 'counter' } },
            UpdateExpression: 'ADD #count :one',
            ExpressionAttributeNames: { '#count': 'count' },
            ExpressionAttributeValues: { ':one': { N: '1' } },
          },
        },
      ],
    })
  }

  #item(key: string, version: string): Item {
    const seconds = Math.floor(startMs / 1000) + 10_000_000 + this.#random.below(1_000)
    return {
      pk: { S: key },
      version: { S: version },
      color: { S: this.#random.pick(['red', 'green', 'blue']) },
      note: { S: 'x'.repeat(this.#random.below(500)) },
      expires: { N: String(seconds) },
    }
  }

  #knownOf(key: string): Known {
    const known = this.#items.get(key) ?? { acknowledged: undefined, maybe: [] }
    this.#items.set(key, known)
    return known
  }
}

type Call = (operation: string, body: object) => Promise<Record<string, unknown>>

async function createTable(call: Call, time: SimulatedTime): Promise<void> {
  try {
    await call('CreateTable', {
      TableName,
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'color', AttributeType: 'S' },
      ],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byColor',
          KeySchema: [{ AttributeName: 'color', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      BillingMode: 'PAY_PER_REQUEST',
    })
    const TimeToLiveSpecification = { AttributeName: 'expires', Enabled: true }
    await call('UpdateTimeToLive', { TableName, TimeToLiveSpecification })
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ResourceInUseException') await time.pause(1_500)
  }
  for (;;) {
    const { Table } = (await call('DescribeTable', { TableName }).catch(() => ({ Table: undefined }))) as {
      Table?: { readonly TableStatus?: string }
    }
    if (Table?.TableStatus === 'ACTIVE') return
    await time.pause(500)
    if (Table === undefined) return createTable(call, time)
  }
}
