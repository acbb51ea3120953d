import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { HashrangeProcess } from '../support/hashrange-process.ts'
import { Randomness } from '../support/randomness.ts'
import { anyRequest, type FuzzRequest } from './requests.ts'

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
  readonly #server = HashrangeProcess.start(['--memory', '--port', '0'])
  #port = 0
  #token = ''

  async start(): Promise<void> {
    this.#port = await this.#server.ready()
    this.#token = /token=([\w-]+)/.exec(this.#server.printed)?.[1] ?? ''
    await this.#createTable()
  }

  async stop(): Promise<void> {
    await this.#server.kill()
  }

  /** Asks for what the seed says. */
  async ask(seed: number, count: number): Promise<readonly FuzzFinding[]> {
    const random = new Randomness(seed)
    const findings: FuzzFinding[] = []
    for (let number = 0; number < count; number++) {
      const finding = await this.send(anyRequest(random, this.#token))
      if (finding !== undefined) findings.push(finding)
      if (this.#server.hasEnded) break
      if (number % 200 === 199) await this.#createTable()
    }
    return findings
  }

  async send(what: FuzzRequest): Promise<FuzzFinding | undefined> {
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
  #answerTo({ method, path, headers, body }: FuzzRequest): Promise<number | string> {
    return new Promise((resolve) => {
      const asking = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          method,
          path,
          headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
          timeout: 10_000,
        },
        (response) => {
          response.resume()
          response.on('end', () => resolve(response.statusCode ?? 0))
          response.on('error', (error) => resolve(`broke off: ${error.message}`))
        },
      )
      asking.on('timeout', () => {
        resolve('was not answered within ten seconds')
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
        TableName: 'things',
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'S' },
          { AttributeName: 'sk', AttributeType: 'N' },
          { AttributeName: 'state', AttributeType: 'S' },
        ],
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'byState',
            KeySchema: [{ AttributeName: 'state', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
        BillingMode: 'PAY_PER_REQUEST',
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      }),
    )
  }
}

const slowMs = 1_000

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

function expanded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expanded)
  if (typeof value !== 'object' || value === null) return value
  const { elements, text, times = 0 } = value as { elements?: unknown; text?: string; times?: number }
  if (elements !== undefined) return Array.from({ length: times }, () => expanded(elements))
  if (text !== undefined) return text.repeat(times)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, expanded(member)]))
}
