import { Engine, openLmdbStore, operationsByTarget } from '@hashrange/engine'
import { serve, type Server } from '@hashrange/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { monitoringOperations } from '../api/operations.ts'
import { encodeCbor } from '@hashrange/server'
import { monitoringService } from '../monitoring-service.ts'
import { monitoringWire } from './wire-services.ts'

let engine: Engine
let server: Server
const failures: unknown[] = []

beforeAll(async () => {
  engine = await Engine.open({ store: await openLmdbStore({ memory: true }), services: [monitoringService()] })
  server = await serve(engine, {
    host: '127.0.0.1',
    port: 0,
    services: monitoringWire,
    logger: { error: (...words) => failures.push(words) },
  })
})
afterAll(async () => {
  await server.close()
  await engine.close()
})

const values = [null, [], [null], 'text', '', 0, true]
const calls = Object.entries({ ...operationsByTarget, ...monitoringOperations }).flatMap(([target, names]) =>
  names.map((operation) => [target, operation] as const),
)

/** A body that is a value, but no object, is the client's mistake. */
test.each(calls)('%s.%s refuses what is no object', async (target, operation) => {
  for (const value of values) {
    const { status, text } = await post('/', JSON.stringify(value), target, {
      'content-type':
        target === 'AnyScaleFrontendService' ? 'application/x-amz-json-1.1' : 'application/x-amz-json-1.0',
      'x-amz-target': `${target}.${operation}`,
    })
    expect([status, text]).toEqual([
      400,
      expect.stringMatching(/"__type":"[^"]*(Serialization|Validation|Unknown)/),
    ])
  }
  expect(failures).toEqual([])
})

test.each(monitoringOperations.GraniteServiceVersion20100801)('%s refuses it in CBOR, too', async (operation) => {
  const path = `/service/GraniteServiceVersion20100801/operation/${operation}`
  for (const value of values) {
    const fields = { 'content-type': 'application/cbor', 'smithy-protocol': 'rpc-v2-cbor' }
    const { status } = await post(path, encodeCbor(value), 'GraniteServiceVersion20100801', fields)
    expect(status).toBe(400)
  }
  expect(failures).toEqual([])
})

test.each(['null', '', '[]', 'Action', 'Action=', 'Action=null', 'Action=ListMetrics&Dimensions=null'])(
  'the form %j is answered, or refused as the client’s',
  async (form) => {
    const fields = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await post('/', form, 'GraniteServiceVersion20100801', fields)).status).toBeLessThan(500)
    expect(failures).toEqual([])
  },
)

async function post(
  path: string,
  body: string | Buffer,
  target: string,
  fields: Record<string, string>,
): Promise<{ status: number; text: string }> {
  const signingName = monitoringWire.find((service) => service.target === target)?.signingName ?? 'dynamodb'
  const authorization = `AWS4-HMAC-SHA256 Credential=key/20261115/eu-west-1/${signingName}/aws4_request, SignedHeaders=host, Signature=abc`
  const headers = { authorization, 'x-amz-date': 'x', ...fields }
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  return { status: response.status, text: await response.text() }
}
