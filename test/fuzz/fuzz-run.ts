import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HashrangeProcess } from '../support/hashrange-process.ts'
import { Randomness } from '../support/randomness.ts'
import type { FuzzRequest } from './fuzz-request.ts'
import { fuzzedTable } from './fuzzed-table.ts'
import { anyModelSource } from './models/any-model-source.ts'
import { anyRequest } from './requests.ts'
import { anyModelRequest, processMs, type WorkbenchPlace } from './workbench/any-workbench-request.ts'

/** A request that must not end as it did. */
export interface FuzzFinding {
  readonly problem: string
  readonly request: FuzzRequest
}

export interface FuzzCounts {
  requests: number
  /** By status. */
  readonly answers: Record<string, number>
}

/** A server that is asked for anything: no request may be answered with a 500, take longer than a second, or end it. */
export class FuzzRun {
  readonly counts: FuzzCounts = { requests: 0, answers: {} }
  readonly #modelFolder = mkdtempSync(join(tmpdir(), 'hashrange-fuzz-'))
  readonly #server: HashrangeProcess
  #port = 0
  #workbench: WorkbenchPlace = {
    token: '',
    modelFolder: this.#modelFolder,
    modelFile: join(this.#modelFolder, 'shop.model.ts'),
    modelName: 'shop',
  }

  /** On the PostgreSQL database of a URL, or in memory. */
  constructor(storeUrl?: string) {
    const place = storeUrl === undefined ? ['--memory'] : ['--store', storeUrl]
    this.#server = HashrangeProcess.start([...place, '--port', '0', '--model', this.#modelFolder])
  }

  async start(): Promise<void> {
    copyFileSync(rightModel, this.#workbench.modelFile)
    this.#port = await this.#server.ready()
    this.#workbench = { ...this.#workbench, token: /token=([\w-]+)/.exec(this.#server.printed)?.[1] ?? '' }
    await this.#createTable()
    await this.#openModel(this.#workbench.modelFile)
  }

  async stop(): Promise<void> {
    await this.#server.kill()
    rmSync(this.#modelFolder, { recursive: true })
  }

  /** Asks for what the seed says. */
  async ask(seed: number, count: number): Promise<readonly FuzzFinding[]> {
    const random = new Randomness(seed)
    const findings: FuzzFinding[] = []
    for (let number = 0; number < count; number++) {
      const finding = await this.send(anyRequest(random, this.#workbench))
      if (finding !== undefined) findings.push(finding)
      if (this.#server.hasEnded) break
      if (number % 200 === 199) await this.#createTable()
    }
    return findings
  }

  /** Has model files loaded that are wrong somewhere, and asks about them. */
  async askAboutModels(seed: number, count: number): Promise<readonly FuzzFinding[]> {
    const random = new Randomness(seed)
    const right = readFileSync(rightModel, 'utf8')
    const findings: FuzzFinding[] = []
    for (let number = 0; number < count && !this.#server.hasEnded; number++) {
      const modelFile = join(this.#modelFolder, `wrong-${number}.model.ts`)
      writeFileSync(modelFile, anyModelSource(random, right))
      const found = [
        await this.#openModel(modelFile),
        await this.send(anyModelRequest(random, { ...this.#workbench, modelFile })),
        await this.#openModel(modelFile, 'close'),
      ]
      findings.push(...found.filter((finding) => finding !== undefined))
    }
    return findings
  }

  #openModel(file: string, action: 'open' | 'close' = 'open'): Promise<FuzzFinding | undefined> {
    return this.send({
      method: 'POST',
      path: `/_workbench/api/models/${action}`,
      headers: { 'Content-Type': 'application/json', 'X-Hashrange-Workbench': this.#workbench.token },
      body: JSON.stringify({ file }),
      slowMs: processMs,
    })
  }

  async send(what: FuzzRequest): Promise<FuzzFinding | undefined> {
    const { slowMs = 1_000 } = what
    this.counts.requests++
    let fastestMs = Number.POSITIVE_INFINITY
    // Other processes take their share of the machine: a request is slow if it is slow each time.
    for (let attempt = 0; attempt < 3 && fastestMs > slowMs; attempt++) {
      const startedAtMs = performance.now()
      const status = await this.#answerTo(what)
      if (typeof status === 'string') return { problem: status, request: what }
      this.counts.answers[status] = (this.counts.answers[status] ?? 0) + 1
      if (status >= 500 && status !== 501 && status !== 503)
        return { problem: `was answered with ${status}`, request: what }
      fastestMs = Math.min(fastestMs, performance.now() - startedAtMs)
    }
    return fastestMs > slowMs ? { problem: `took ${Math.round(fastestMs)} ms`, request: what } : undefined
  }

  /** The status, or what went wrong. */
  #answerTo({ method, path, headers, body, slowMs = 0 }: FuzzRequest): Promise<number | string> {
    const patienceMs = Math.max(10_000, 3 * slowMs)
    return new Promise((resolve) => {
      const asking = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          method,
          path,
          headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
          timeout: patienceMs,
        },
        (response) => {
          response.resume()
          response.on('end', () => resolve(response.statusCode ?? 0))
          response.on('error', (error) => resolve(`broke off: ${error.message}`))
        },
      )
      asking.on('timeout', () => {
        resolve(`was not answered within ${patienceMs / 1000} seconds`)
        asking.destroy()
      })
      asking.on('error', (error) => {
        resolve(this.#server.hasEnded ? 'ended the server' : `was not answered: ${error.message}`)
      })
      asking.end(body)
    })
  }

  async #createTable(): Promise<void> {
    await this.#answerTo(
      jsonOf('CreateTable', {
        ...fuzzedTable,
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      }),
    )
  }
}

function jsonOf(operation: string, input: object): FuzzRequest {
  return {
    method: 'POST',
    path: '/',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': `DynamoDB_20120810.${operation}`,
      'X-Amz-Date': '20260101T000000Z',
      Authorization:
        'AWS4-HMAC-SHA256 Credential=000000000000/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: JSON.stringify(input),
  }
}

/** Requests that once broke something: `{ "operation": …, "input": … }`, a file each. What is long is said in short: `{ "elements": …, "times": n }` and `{ "text": …, "times": n }`. */
export function readCorpus(): readonly { readonly name: string; readonly request: FuzzRequest }[] {
  const folder = new URL('corpus/', sourceFolder())
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const { operation, input } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as {
        operation: string
        input: object
      }
      return { name, request: jsonOf(operation, expanded(input) as object) }
    })
}

/** The corpus lies beside the source, not beside what is built of it. */
function sourceFolder(): URL {
  return new URL(import.meta.url.includes('/dist/') ? '../../fuzz/' : './', import.meta.url)
}

const rightModel = new URL('../../examples/shop/shop.model.ts', sourceFolder())

function expanded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expanded)
  if (typeof value !== 'object' || value === null) return value
  const { elements, text, times = 0 } = value as { elements?: unknown; text?: string; times?: number }
  if (elements !== undefined) return Array.from({ length: times }, () => expanded(elements))
  if (text !== undefined) return text.repeat(times)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, expanded(member)]))
}
