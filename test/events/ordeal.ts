import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ApiClient } from '../support/api-client.ts'
import { HashrangeProcess } from '../support/hashrange-process.ts'
import type { Randomness } from '../support/randomness.ts'

export interface OrdealSettings {
  readonly changes: number
  /** How often the server is killed. */
  readonly kills: number
  readonly random: Randomness
}

export interface OrdealResult {
  readonly changes: number
  /** Records that the function has written down, some of them twice. */
  readonly deliveries: number
  readonly kills: number
  readonly failures: number
  readonly problems: readonly string[]
}

const keysPerWriter = 250
const writers = 4

/** Changes items of one table again and again, while a function writes down what it gets, fails at random and kills
 *  itself at random, and while the server is killed at random. Every change must be written down, and none of an item
 *  before the one that came before it. */
export async function ordeal({ changes, kills, random }: OrdealSettings): Promise<OrdealResult> {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-ordeal-'))
  const written = join(folder, 'written.txt')
  const failed = join(folder, 'failed.txt')
  writeFileSync(join(folder, 'on-change.mjs'), functionText(written, failed))
  writeFileSync(
    join(folder, 'hashrange.config.json'),
    JSON.stringify({
      functions: { 'on-change': join(folder, 'on-change.handler') },
      triggers: [{ table: 'changes', function: 'on-change', batchSize: 100, parallelizationFactor: 2 }],
    }),
  )
  const flags = ['--path', join(folder, 'data'), '--config', join(folder, 'hashrange.config.json')]
  const server = new KilledServer(flags)
  try {
    await server.start()
    await server.call('CreateTable', {
      TableName: 'changes',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    })
    const keys = Math.min(writers * keysPerWriter, Math.ceil(changes / 10))
    const rounds = Math.ceil(changes / keys)
    const writing = Promise.all(
      Array.from({ length: writers }, (_, writer) => writeRounds(server, writer, keys, rounds)),
    )
    writing.catch(() => undefined)
    for (let kill = 0; kill < kills; kill++) {
      await pause(random.between(300, 2_500))
      await server.restart()
    }
    await writing
    const problems = await untilDelivered(written, keys, rounds)
    return {
      changes: keys * rounds,
      deliveries: linesOf(written).length,
      kills,
      failures: linesOf(failed).length,
      problems,
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Fails before or after it has written a batch down, or dies. */
function functionText(written: string, failed: string): string {
  return `
    import { appendFileSync } from 'node:fs'
    export const handler = async ({ Records }) => {
      const chance = Math.random()
      if (chance < 0.03) { appendFileSync(${JSON.stringify(failed)}, 'before\\n'); throw new Error('at random') }
      if (chance < 0.033) { appendFileSync(${JSON.stringify(failed)}, 'killed\\n'); process.kill(process.pid, 'SIGKILL') }
      let text = ''
      for (const { dynamodb } of Records) text += dynamodb.Keys.pk.S + ' ' + dynamodb.NewImage.round.N + '\\n'
      appendFileSync(${JSON.stringify(written)}, text)
      if (chance > 0.98) { appendFileSync(${JSON.stringify(failed)}, 'after\\n'); throw new Error('at random') }
    }`
}

async function writeRounds(server: KilledServer, writer: number, keys: number, rounds: number): Promise<void> {
  const own = Array.from({ length: keys }, (_, key) => key).filter((key) => key % writers === writer)
  for (let round = 1; round <= rounds; round++) {
    for (let at = 0; at < own.length; at += 25) {
      const requests = own.slice(at, at + 25).map((key) => ({
        PutRequest: { Item: { pk: { S: `key-${key}` }, round: { N: String(round) } } },
      }))
      await server.call('BatchWriteItem', { RequestItems: { changes: requests } }, writer)
    }
  }
}

async function untilDelivered(written: string, keys: number, rounds: number): Promise<readonly string[]> {
  for (let lines = -1, idleRounds = 0; idleRounds < 120;) {
    const found = check(written)
    if (found.last.size === keys && [...found.last.values()].every((round) => round === rounds))
      return found.problems
    idleRounds = found.lines === lines ? idleRounds + 1 : 0
    lines = found.lines
    await pause(Math.min(5_000, 500 + lines / 500))
  }
  const { last, problems } = check(written)
  const missing = Array.from({ length: keys }, (_, key) => `key-${key}`).filter((key) => last.get(key) !== rounds)
  return [...problems, `${missing.length} items were not delivered to their last change, such as ${missing[0]}`]
}

/** The first time that a change is written down, the one before it has been. */
function check(written: string): { lines: number; last: Map<string, number>; problems: string[] } {
  const last = new Map<string, number>()
  const problems: string[] = []
  const lines = linesOf(written)
  for (const line of lines) {
    const [key = '', text = ''] = line.split(' ')
    const round = Number(text)
    const before = last.get(key) ?? 0
    if (round > before + 1 && problems.length < 10)
      problems.push(`${key} was delivered with ${round} after ${before}`)
    if (round > before) last.set(key, round)
  }
  return { lines: lines.length, last, problems }
}

function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
}

/** A server that is killed and started again under those who use it. */
class KilledServer {
  readonly #flags: readonly string[]
  readonly #clients = new Map<number, ApiClient>()
  #process: HashrangeProcess | undefined
  #port = 0

  constructor(flags: readonly string[]) {
    this.#flags = flags
  }

  async start(): Promise<void> {
    this.#process = HashrangeProcess.start([...this.#flags, '--port', '0', '--no-workbench'])
    this.#port = await this.#process.ready()
    this.#clients.clear()
  }

  async restart(): Promise<void> {
    await this.#process?.kill()
    await this.start()
  }

  async stop(): Promise<void> {
    for (const client of this.#clients.values()) client.close()
    await this.#process?.kill()
  }

  /** Until it is answered: what was written twice has changed nothing the second time. Everybody has a connection. */
  async call(operation: string, input: object, who = -1): Promise<void> {
    for (;;) {
      let client = this.#clients.get(who)
      if (client === undefined)
        this.#clients.set(who, (client = new ApiClient({ port: this.#port, timeoutMs: 30_000 })))
      try {
        return await client.call(operation, input)
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'NoAnswer') throw error
        await pause(50)
      }
    }
  }
}
