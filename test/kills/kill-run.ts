import { ApiClient } from '../support/api-client.ts'
import { assertFolderSound } from '../support/assert-folder-sound.ts'
import { HashrangeProcess } from '../support/hashrange-process.ts'
import type { Randomness } from '../support/randomness.ts'
import { StreamReader, type StreamRecord } from '../support/stream-reader.ts'
import {
  checkIndexes,
  checkRecords,
  countedTransactions,
  describeWhenActive,
  scan,
  spoiltItems,
} from './check-folder.ts'
import { comingIndex, indexUpdate, itemTable, keyOf, tables, type Item } from './items.ts'
import { keepCompacting } from './keep-compacting.ts'
import { Ledger } from './ledger.ts'
import { Writer, type TokenTransaction } from './writer.ts'

export interface KillCounts {
  rounds: number
  acknowledged: number
  /** Starts that were ended before they served, and after. */
  endedInStart: number
  endedAfterStart: number
  /** Of both, those that were ended by Ctrl+C. */
  interrupted: number
  /** That came to their end while others wrote. */
  compactions: number
}

export function noKills(): KillCounts {
  return { rounds: 0, acknowledged: 0, endedInStart: 0, endedAfterStart: 0, interrupted: 0, compactions: 0 }
}

/** A server on one folder that is killed while it writes, and again while it recovers from that, and then has to show that nothing is lost. */
export class KillRun {
  readonly #counts: KillCounts
  readonly #folder: string
  readonly #random: Randomness
  readonly #ledger = new Ledger()
  readonly #records: StreamRecord<Item>[] = []
  #reader: StreamReader<Item> | undefined
  #client: ApiClient | undefined
  #unsettled: TokenTransaction[] = []
  #repeatable: TokenTransaction[] = []
  #tokenCount = 0
  #startMs = 200

  /** `counts` are added to. */
  constructor(folder: string, random: Randomness, counts: KillCounts) {
    this.#folder = folder
    this.#random = random
    this.#counts = counts
  }

  /** Loads, kills, kills in recovery, recovers and checks. Answers what is wrong. */
  async round(): Promise<readonly string[]> {
    const acknowledgedBefore = this.#ledger.acknowledged
    const { server, port } = await this.#start()
    await this.#withClient(port, (client) => this.#prepare(client))
    await this.#load(server, port)
    await assertFolderSound(this.#folder)
    for (let n = this.#random.between(1, 4); n > 0; n--) {
      await this.#endInStart()
      // In half of the cases the next start finds what nobody else has looked at.
      if (this.#random.chance(0.5)) await assertFolderSound(this.#folder)
    }
    const again = await this.#start()
    const problems = await this.#withClient(again.port, (client) => this.#check(client))
    // Half of the rounds go on from a folder that was closed, half from one that has to be recovered.
    if (this.#random.chance(0.5)) await again.server.kill()
    else if ((await again.server.stop()).code !== 0)
      problems.push(`it did not stop in order: ${again.server.printed}`)
    await assertFolderSound(this.#folder)
    this.#counts.rounds++
    this.#counts.acknowledged += this.#ledger.acknowledged - acknowledgedBefore
    return problems
  }

  async #withClient<T>(port: number, work: (client: ApiClient) => Promise<T>): Promise<T> {
    this.#client = new ApiClient({ port, timeoutMs: 60_000 })
    try {
      return await work(this.#client)
    } finally {
      this.#client.close()
    }
  }

  async #start(): Promise<{ readonly server: HashrangeProcess; readonly port: number }> {
    const startedAtMs = performance.now()
    const server = HashrangeProcess.start(this.#flags)
    const port = await server.ready()
    this.#startMs = performance.now() - startedAtMs
    return { server, port }
  }

  get #flags(): readonly string[] {
    return ['--port', '0', '--path', this.#folder]
  }

  /** Tables are made by the first round. In some, an index begins to come or go. */
  async #prepare(client: ApiClient): Promise<void> {
    if (this.#reader === undefined) await this.#makeTables(client)
    if (!this.#random.chance(0.4)) return
    const { GlobalSecondaryIndexes: indexes = [] } = await describeWhenActive(client)
    await client.call('UpdateTable', indexUpdate(indexes.some(({ IndexName }) => IndexName === comingIndex)))
  }

  async #makeTables(client: ApiClient): Promise<void> {
    for (const table of tables) await client.call('CreateTable', table)
    const { Table } = await client.call<{ Table: { LatestStreamArn: string } }>('DescribeTable', {
      TableName: itemTable,
    })
    const call = <Answer>(operation: string, input: object): Promise<Answer> => {
      if (this.#client === undefined) throw new Error('there is no server')
      return this.#client.call<Answer>(operation, input)
    }
    this.#reader = new StreamReader(call, Table.LatestStreamArn, (record) => void this.#records.push(record))
  }

  /** Writes for a while, and ends the server in the middle of it: mostly as a crash does, sometimes by Ctrl+C. */
  async #load(server: HashrangeProcess, port: number): Promise<void> {
    const random = this.#random
    let isOver = false
    const writers = Array.from({ length: random.between(4, 24) }, (_, n) =>
      new Writer({
        name: `w${n}`,
        port,
        ledger: this.#ledger,
        random: random.fork(),
        note: (transaction, isAcknowledged) =>
          void (isAcknowledged ? this.#repeatable : this.#unsettled).push(transaction),
      }).run(() => isOver),
    )
    // In half of the rounds the data file is compacted all the while, so that most kills hit a compaction at some step.
    const compacting = random.chance(0.5) ? keepCompacting(port, () => isOver || server.hasEnded) : 0
    const working = Promise.all([...writers, compacting])
    // So many writes, however busy the machine is, and then at any moment.
    const enough = this.#ledger.acknowledged + random.between(0, 500)
    const endMs = performance.now() + longestLoadMs
    const isEnough = (): boolean => this.#ledger.acknowledged >= enough || performance.now() > endMs
    while (!isEnough() && !server.hasEnded) await Promise.race([working, pause(random.between(1, 20))])
    if (server.hasEnded) throw new Error(`the server ended by itself. It printed: ${server.printed}`)
    if (random.chance(0.15)) server.signal('SIGINT')
    else server.signal('SIGKILL')
    isOver = true
    await server.ended
    await working
    this.#counts.compactions += await compacting
  }

  /** A start that is ended at any moment, from before it has read anything until just after it serves. */
  async #endInStart(): Promise<void> {
    const random = this.#random
    const server = HashrangeProcess.start(this.#flags)
    await Promise.race([pause(random.between(20, Math.max(250, this.#startMs * 1.2))), server.ended])
    if (server.hasEnded) throw new Error(`it does not start any more. It printed: ${server.printed}`)
    const isReady = /http:\/\//.test(server.printed)
    const isInterrupted = random.chance(0.3)
    server.signal(isInterrupted ? 'SIGINT' : 'SIGKILL')
    const { code, signal } = await server.ended
    if (isReady) this.#counts.endedAfterStart++
    else this.#counts.endedInStart++
    if (isInterrupted) this.#counts.interrupted++
    if (code !== null && code !== 0 && code !== 130) {
      throw new Error(`a start that was ended by ${signal ?? 'a signal'} failed with ${code}: ${server.printed}`)
    }
  }

  async #check(client: ApiClient): Promise<string[]> {
    const items = await scan(client)
    const stored = new Map(items.map((item) => [keyOf(item), Number(item.v.N)]))
    const { problems, unwritten } = this.#ledger.settle(stored)
    const found = [...problems, ...spoiltItems(items), ...(await checkIndexes(client, items))]
    if (stored.size !== items.length) found.push('a scan shows an item twice')
    // What is spoilt already would only be spoilt further.
    if (found.length > 0) return found
    await this.#repeatTransactions(client, unwritten)
    await this.#reader?.readAll()
    found.push(...checkRecords(this.#records.splice(0), this.#ledger.takeChanges()))
    const counted = await countedTransactions(client)
    if (counted !== this.#tokenCount) {
      found.push(`${this.#tokenCount} transactions with a token were acknowledged, and ${counted} have happened`)
    }
    return found
  }

  /** Those without an answer are sent until they have one, and some that were answered are sent once more. Each must happen once. */
  async #repeatTransactions(client: ApiClient, unwritten: ReadonlySet<TokenTransaction['writes']>): Promise<void> {
    for (const { writes, request } of this.#unsettled) {
      await client.call('TransactWriteItems', request)
      if (unwritten.has(writes)) this.#ledger.acknowledge(writes)
    }
    for (const { request } of this.#random.someOf(this.#repeatable, Math.min(20, this.#repeatable.length))) {
      await client.call('TransactWriteItems', request)
    }
    this.#tokenCount += this.#unsettled.length + this.#repeatable.length
    this.#unsettled = []
    this.#repeatable = []
  }
}

const longestLoadMs = 5_000

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
