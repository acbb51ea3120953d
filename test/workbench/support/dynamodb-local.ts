import { spawn, spawnSync } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve as absolute } from 'node:path'
import { expect } from 'vitest'
import type { Requirement } from '../../support/requirement.ts'

/** Where DynamoDB Local answers, or a folder with its jars and native libraries: `mvn dependency:copy-dependencies` makes one of
 *  com.amazonaws:DynamoDBLocal. */
const given = process.env['HASHRANGE_DYNAMODB_LOCAL']
const isAddress = given?.startsWith('http') === true

export const needsDynamoDbLocal: Requirement = {
  met: given !== undefined && (isAddress || spawnSync('java', ['-version']).status === 0),
  reason:
    'needs HASHRANGE_DYNAMODB_LOCAL: the address of a DynamoDB Local, or, with Java 17, a folder with its jars (docs/testing.md)',
}

export interface DynamoDbLocal extends AsyncDisposable {
  readonly endpoint: string
  readonly ask: (operation: string, body: object) => Promise<Record<string, unknown>>
}

/** The real one, in memory; or the one that runs already. */
export async function startDynamoDbLocal(): Promise<DynamoDbLocal> {
  if (given === undefined) throw new Error(needsDynamoDbLocal.reason)
  if (isAddress) return { endpoint: given, ask: asking(given), [Symbol.asyncDispose]: () => Promise.resolve() }
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${String(port)}`
  const jars = absolute(given)
  const words = [`-Djava.library.path=${jars}`, '-cp', join(jars, '*')]
  const main = 'com.amazonaws.services.dynamodbv2.local.main.ServerRunner'
  const child = spawn('java', [...words, main, '-inMemory', '-sharedDb', '-port', String(port)], {
    stdio: 'ignore',
    // It leaves a file where it is started.
    cwd: tmpdir(),
  })
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const ask = asking(endpoint)
  await expect.poll(() => ask('ListTables', {}).catch(() => undefined), { timeout: 50_000 }).toBeDefined()
  return {
    endpoint,
    ask,
    [Symbol.asyncDispose]: () => {
      child.kill()
      return ended
    },
  }
}

function asking(endpoint: string): DynamoDbLocal['ask'] {
  const signature = 'Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0'
  return async (operation, body) => {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      authorization: `AWS4-HMAC-SHA256 ${signature}`,
    }
    const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as Record<string, unknown>
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
