import { afterAll, beforeAll, expect, test } from 'vitest'
import { rounds } from '../../support/rounds.ts'
import { ServerProcess } from '../server-process.ts'
import { baseInputs } from './base-inputs.ts'
import { CostClient, operations, services, targets } from './cost-client.ts'
import { costlyInputs, sampleOf, type CostlyInput } from './costly-inputs.ts'

/** Asks every operation for the most that its input allows, one member at a time: no answer may take the server a second of the processor, or fail.
 *
 *  By default this takes a few inputs of each operation, of a megabyte. `COST=all` takes all of them, of 15 MB, which takes hours: as in
 *
 *      COST=all npx vitest run --project lmdb test/system/cost
 *      COST=all COST_ONLY='^(Query|Scan)$' npx vitest run --project lmdb test/system/cost */
const isFull = process.env['COST'] === 'all'
const only = new RegExp(process.env['COST_ONLY'] ?? '')
const bytes = isFull ? 15_000_000 : 1_000_000
const inputsOfOperation = isFull ? Number.POSITIVE_INFINITY : rounds(2, 5)
const mostSeconds = 1

let server: ServerProcess
let client: CostClient

beforeAll(async () => {
  server = await ServerProcess.start(['--memory'])
  client = new CostClient(server.endpoint)
  const schema = {
    TableName: 'cost',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
  }
  await client.ask('DynamoDB_20120810', 'CreateTable', JSON.stringify(schema))
  await client.ask('DynamoDB_20120810', 'PutItem', JSON.stringify(baseInputs['PutItem']))
})
afterAll(() => server.kill())

const calls = targets.flatMap((target) =>
  operations[target].filter((operation) => only.test(operation)).map((operation) => [target, operation] as const),
)

test.each(calls)(
  '%s.%s answers the largest inputs in time',
  { timeout: isFull ? 0 : 300_000 },
  async (target, operation) => {
    const shape = services[target].shapeOf(operation)
    const base = baseInputs[operation] ?? sampleOf(shape, '')
    const slow: string[] = []
    for (const { name, json } of chosen(costlyInputs(shape, base, bytes))) {
      const { status, text, cpuSeconds } = await client.ask(target, operation, json())
      if (cpuSeconds > mostSeconds || status >= 500)
        slow.push(`${name}: ${cpuSeconds.toFixed(2)} s, ${status} ${text}`)
    }
    expect(slow).toEqual([])
  },
)

/** All of them, or some that lie apart: another number of inputs has others. */
function* chosen(inputs: Iterable<CostlyInput>): Iterable<CostlyInput> {
  if (inputsOfOperation === Number.POSITIVE_INFINITY) return yield* inputs
  const all = [...inputs]
  const step = Math.max(1, Math.floor(all.length / inputsOfOperation))
  for (let index = Math.floor(step / 2); index < all.length; index += step) {
    const input = all[index]
    if (input !== undefined) yield input
  }
}
