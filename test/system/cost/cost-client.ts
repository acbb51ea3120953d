import { Agent, request } from 'node:http'
import { inputShapeOf, operationsByTarget, type StructureShape } from '@hashrange/engine'
import { autoScalingShapes, cloudWatchShapes, monitoringOperations } from '@hashrange/monitoring'

export interface Cost {
  readonly status: number
  /** The beginning of the answer. */
  readonly text: string
  /** What the server's process has spent, which does not depend on what else the machine does. */
  readonly cpuSeconds: number
}

interface Service {
  readonly shapeOf: (operation: string) => StructureShape
  readonly signedAs: string
  readonly jsonVersion: '1.0' | '1.1'
}

export const operations = { ...operationsByTarget, ...monitoringOperations }
export type Target = keyof typeof operations

export const services: Readonly<Record<Target, Service>> = {
  DynamoDB_20120810: { shapeOf: inputShapeOf, signedAs: 'dynamodb', jsonVersion: '1.0' },
  DynamoDBStreams_20120810: { shapeOf: inputShapeOf, signedAs: 'dynamodb', jsonVersion: '1.0' },
  AnyScaleFrontendService: {
    shapeOf: (operation) => autoScalingShapes.inputShapeOf(operation),
    signedAs: 'application-autoscaling',
    jsonVersion: '1.1',
  },
  GraniteServiceVersion20100801: {
    shapeOf: (operation) => cloudWatchShapes.inputShapeOf(operation),
    signedAs: 'monitoring',
    jsonVersion: '1.0',
  },
}

export const targets = Object.keys(operations) as Target[]

/** Sends requests one after the other, and says what each has cost the server. */
export class CostClient {
  readonly #endpoint: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  constructor(endpoint: string) {
    this.#endpoint = endpoint
  }

  async ask(target: Target, operation: string, json: string): Promise<Cost> {
    const { signedAs, jsonVersion } = services[target]
    const before = await this.#cpuSeconds()
    const answer = await this.#send('POST', '/', json, {
      'Content-Type': `application/x-amz-json-${jsonVersion}`,
      'X-Amz-Target': `${target}.${operation}`,
      'X-Amz-Date': '20261115T000000Z',
      Authorization: `AWS4-HMAC-SHA256 Credential=local/20261115/us-east-1/${signedAs}/aws4_request, SignedHeaders=host, Signature=abc`,
    })
    return { ...answer, cpuSeconds: (await this.#cpuSeconds()) - before }
  }

  async #cpuSeconds(): Promise<number> {
    const { text } = await this.#send('GET', '/metrics', '', {}, Number.POSITIVE_INFINITY)
    return Number(/^process_cpu_seconds_total ([\d.]+)$/m.exec(text)?.[1])
  }

  #send(
    method: string,
    path: string,
    body: string,
    headers: Record<string, string>,
    textLength = 300,
  ): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const bytes = Buffer.from(body)
      const sent = request(
        new URL(path, this.#endpoint),
        { method, agent: this.#agent, timeout: 120_000, headers: { ...headers, 'Content-Length': bytes.length } },
        (response) => {
          let text = ''
          response.on('data', (chunk: Buffer) => {
            if (text.length < textLength) text += chunk.toString()
          })
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text: text.slice(0, textLength) }))
        },
      )
      sent.on('timeout', () => sent.destroy(new Error('no answer came within two minutes')))
      sent.on('error', reject)
      sent.end(bytes)
    })
  }
}
