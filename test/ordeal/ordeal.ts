import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { hashrangeMain } from '../support/hashrange-main.ts'
import { run } from '../support/programs.ts'
import type { Randomness } from '../support/randomness.ts'
import { checkCheckpoints, readCheckpoints, type Checkpoint } from './checkpoints.ts'
import { KilledServer } from './killed-server.ts'
import { createShop, shopTraffic } from './shop-traffic.ts'
import { WrittenChanges } from './written-changes.ts'

export interface OrdealSettings {
  /** Of the table whose changes are written down. */
  readonly changes: number
  /** Of the table from which other items are derived. */
  readonly derivedChanges: number
  /** How often the server is killed. */
  readonly kills: number
  /** The longest time between two kills. */
  readonly killMs: number
  readonly random: Randomness
  readonly tell?: (sentence: string) => void
}

export interface OrdealResult {
  readonly changes: number
  /** Records that the function has written down, some of them twice. */
  readonly deliveries: number
  readonly kills: number
  /** Processes of functions that were killed from outside. */
  readonly functionKills: number
  /** How often functions failed or died by themselves. */
  readonly failures: number
  readonly checkpoints: number
  readonly derivedChanges: number
  /** What `hashrange derive --verify` printed. */
  readonly verified: string
  readonly problems: readonly string[]
}

const writers = 4
const here = dirname(fileURLToPath(import.meta.url))
const modelFile = join(here, `shop.model${extname(import.meta.url)}`)

/** Changes items again and again, while functions write down what they get and derive items from it, fail at random and
 *  are killed at random, and while the server is killed at random. Every change must be written down, and none of an
 *  item before the one that came before it; no checkpoint may be ahead of what was written down; and what is derived must
 *  be what a recomputation says. */
export async function ordeal(settings: OrdealSettings): Promise<OrdealResult> {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-ordeal-'))
  try {
    return await new Ordeal(folder, settings).run()
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

class Ordeal {
  readonly #folder: string
  readonly #settings: OrdealSettings
  readonly #server: KilledServer
  readonly #written: WrittenChanges
  readonly #keys: readonly string[]
  readonly #rounds: number
  readonly #checkpoints: Checkpoint[] = []
  #kills = 0
  #functionKills = 0

  constructor(folder: string, settings: OrdealSettings) {
    this.#folder = folder
    this.#settings = settings
    this.#written = new WrittenChanges(join(folder, 'written.txt'))
    const count = Math.min(1_000, Math.ceil(settings.changes / 10))
    this.#keys = Array.from({ length: count }, (_, key) => `key-${key}`)
    this.#rounds = Math.ceil(settings.changes / count)
    const config = join(folder, 'hashrange.config.json')
    writeFileSync(config, JSON.stringify(configOf(folder)))
    this.#server = new KilledServer(['--shared', '--path', this.#data, '--config', config])
  }

  get #data(): string {
    return join(this.#folder, 'data')
  }

  async run(): Promise<OrdealResult> {
    const { derivedChanges, random } = this.#settings
    const server = this.#server
    try {
      await server.start()
      const { TableDescription } = await server.call<{ TableDescription: { LatestStreamArn: string } }>(
        'CreateTable',
        changesTable,
      )
      await createShop(server)
      const traffic = random.fork()
      const writing = Promise.all([
        ...Array.from({ length: writers }, (_, writer) => this.#write(writer)),
        shopTraffic(server, traffic, derivedChanges),
      ])
      await Promise.all([writing, this.#kill()])
      const problems = [...(await this.#untilDelivered())]
      problems.push(
        ...(await checkCheckpoints(server, TableDescription.LatestStreamArn, this.#checkpoints, this.#written)),
      )
      const verified = await this.#untilDerived()
      if (!verified.includes(' 0 differences')) problems.push(`what is derived is wrong: ${verified}`)
      await server.stop()
      problems.push(...(await this.#processesLeft()))
      return this.#result(verified, problems)
    } finally {
      await server.stop()
    }
  }

  #result(verified: string, problems: readonly string[]): OrdealResult {
    return {
      changes: this.#keys.length * this.#rounds,
      deliveries: this.#written.lines,
      kills: this.#kills,
      functionKills: this.#functionKills,
      failures: linesOf(join(this.#folder, 'failures.txt')).length,
      checkpoints: this.#checkpoints.length,
      derivedChanges: this.#settings.derivedChanges,
      verified,
      problems: problems.slice(0, 20),
    }
  }

  async #write(writer: number): Promise<void> {
    const own = this.#keys.filter((_, index) => index % writers === writer)
    for (let round = 1; round <= this.#rounds; round++) {
      for (let at = 0; at < own.length; at += 25) {
        const changes = own.slice(at, at + 25).map((key) => ({
          PutRequest: { Item: { pk: { S: key }, round: { N: String(round) } } },
        }))
        // What is written again after a kill has changed nothing the second time.
        await this.#server.call('BatchWriteItem', { RequestItems: { changes } }, `writer ${writer}`)
      }
      if (writer === 0 && round % 20 === 0) this.#settings.tell?.(`${round} of ${this.#rounds} rounds are written`)
    }
  }

  /** Kills the server, and before that often one of its functions. */
  async #kill(): Promise<void> {
    const { random, kills, killMs } = this.#settings
    while (this.#kills < kills) {
      for (let n = random.between(0, 2); n > 0; n--) {
        await pause(random.between(killMs / 10, killMs / 2))
        this.#killFunction()
      }
      await pause(random.between(killMs / 10, killMs / 2))
      await this.#server.kill()
      this.#kills++
      this.#written.read()
      // The other half of the starts recover what a kill has left, untouched.
      const isLast = this.#kills === this.#settings.kills
      if (isLast || this.#kills % 2 === 1)
        this.#checkpoints.push(...(await readCheckpoints(this.#data, this.#written.lines)))
      await this.#server.start()
    }
  }

  #killFunction(): void {
    const recent = linesOf(join(this.#folder, 'processes.txt')).slice(-20).map(Number)
    const alive = recent.filter((pid) => this.#isOurs(pid))
    if (alive.length === 0) return
    process.kill(this.#settings.random.oneOf(alive), 'SIGKILL')
    this.#functionKills++
  }

  /** A number may belong to another process by now. */
  #isOurs(pid: number): boolean {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`FOLDER=${this.#folder}\0`)
    } catch {
      return false
    }
  }

  async #untilDelivered(): Promise<readonly string[]> {
    const written = this.#written
    for (let before = -1, idle = 0; idle < 120; idle = written.lines === before ? idle + 1 : 0) {
      before = written.lines
      await pause(500)
      written.read()
      if (written.has(this.#keys, this.#rounds)) return written.problems
    }
    const missing = this.#keys.filter((key) => written.lastOf(key) !== this.#rounds)
    return [
      ...written.problems,
      `${missing.length} items were not delivered to their last change, such as ${missing[0]}`,
    ]
  }

  /** The handler may be behind: so it is compared until it is right, or until nothing changes any more. */
  async #untilDerived(): Promise<string> {
    for (let before = '', same = 0; ;) {
      const words = ['derive', modelFile, '--verify', '--endpoint', `http://127.0.0.1:${this.#server.port}`]
      const { stdout, stderr } = await run(process.execPath, [hashrangeMain, ...words])
      const printed = `${stdout}${stderr}`.trim()
      same = printed === before ? same + 1 : 0
      if (printed.includes(' 0 differences') || same === 10) return printed
      before = printed
      await pause(2_000)
    }
  }

  /** Functions end with their server, however it ended. */
  async #processesLeft(): Promise<readonly string[]> {
    const pids = linesOf(join(this.#folder, 'processes.txt')).map(Number)
    for (let attempt = 0; attempt < 100; attempt++) {
      if (!pids.some((pid) => this.#isOurs(pid))) return []
      await pause(100)
    }
    return pids.filter((pid) => this.#isOurs(pid)).map((pid) => `the function ${pid} has outlived its server`)
  }
}

const changesTable = {
  TableName: 'changes',
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  BillingMode: 'PAY_PER_REQUEST',
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
}

function configOf(folder: string): object {
  const environment = { FOLDER: folder }
  return {
    functions: {
      note: { handler: join(here, 'note-changes-process.handler'), environment },
      derive: { handler: join(here, 'derive-process.handler'), environment },
    },
    triggers: [
      {
        table: 'changes',
        function: 'note',
        batchSize: 100,
        parallelizationFactor: 2,
        bisectBatchOnFunctionError: true,
      },
      { table: 'shop', function: 'derive', batchSize: 100, reportBatchItemFailures: true },
    ],
  }
}

function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
}
