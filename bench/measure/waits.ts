import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { open } from 'hashrange'
import { testDatabase } from 'hashrange/testing'
import { orders } from '../model/orders.model.ts'
import { startHashrange } from '../servers/start-server.ts'
import { interactiveAfterMs, openBrowser } from '../waits/open-page.ts'
import { largeModel } from '../waits/large-model.ts'
import { typeCheck } from '../waits/type-check.ts'
import type { BenchContext } from './bench-context.ts'
import { median } from './median.ts'

/** Something that a person waits for, and how long it may take. */
export interface Wait {
  readonly what: string
  readonly goalMs: number
  readonly tookMs: number
}

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Times that are no rates: what somebody waits for who writes a model, runs a test or opens the page. */
export async function measureWaits(context: BenchContext): Promise<readonly Wait[]> {
  const { progress } = context
  const waits: Wait[] = []
  const wait = async (what: string, goalMs: number, measure: () => Promise<number | undefined>): Promise<void> => {
    progress.show(`waits: ${what}`)
    const tookMs = await measure()
    if (tookMs !== undefined) waits.push({ what, goalMs, tookMs })
  }
  await wait('type-checking a model of 40 entities and 160 patterns', 2_000, () => typeChecking(context))
  await wait('hashrange check of the shop', 5_000, () => checking(context))
  await wait('opening a test database with a model', 100, () => openingTestDatabases(context))
  await wait('refusing an expression that was made to be slow', 500, refusingExpressions)
  await wait('the workbench, from its address to the first key', 1_000, () => openingThePage(context))
  return waits
}

async function typeChecking({ folder, options }: BenchContext): Promise<number> {
  const place = join(folder, 'type-check')
  mkdirSync(place)
  return often(options.startups, () => {
    const { checkSeconds } = typeCheck(place, largeModel(40, 4), join(root, 'tsconfig.base.json'))
    return Promise.resolve(checkSeconds * 1_000)
  })
}

async function checking({ options }: BenchContext): Promise<number> {
  const command = join(root, 'packages', 'hashrange', 'dist', 'main.js')
  const model = join(root, 'examples', 'shop', 'shop.model.ts')
  return often(options.startups, () =>
    timed(() => {
      const { status, stderr } = spawnSync(process.execPath, [command, 'check', model], { encoding: 'utf8' })
      if (status !== 0) throw new Error(`hashrange check failed: ${stderr}`)
      return Promise.resolve()
    }),
  )
}

function openingTestDatabases({ options }: BenchContext): Promise<number> {
  return often(options.startups, () =>
    timed(async () => {
      await using opened = await testDatabase(orders)
      opened.clock.now()
    }),
  )
}

/** Each of these, repeated as often as an expression has room for, was once slow somewhere. The slowest counts. */
const slowPieces = ['(', '((a)=', 'NOT ', 'NOT(', 'f(', 'size(', 'a=b OR(', 'if_not_exists(a,', 'a.b', 'a[1]', '#']

async function refusingExpressions(): Promise<number> {
  await using db = await open()
  const times: number[] = []
  for (const piece of slowPieces) {
    const FilterExpression = piece.repeat(Math.floor(4_000 / piece.length))
    times.push(
      await timed(() =>
        db.execute('Scan', { TableName: 'none', FilterExpression }).catch((error: unknown) => error),
      ),
    )
  }
  return Math.max(...times)
}

async function openingThePage(context: BenchContext): Promise<number | undefined> {
  const browser = await openBrowser()
  if (browser === undefined) return undefined
  context.resources.add(() => void browser.close())
  const token = 'a-secret-for-the-benchmark'
  process.env['HASHRANGE_WORKBENCH_TOKEN'] = token
  const server = await startHashrange(context, join(context.folder, 'page'), '--shared')
  delete process.env['HASHRANGE_WORKBENCH_TOKEN']
  const origin = `http://127.0.0.1:${server.port}`
  await createTable(origin)
  const took = await often(context.options.startups, () =>
    interactiveAfterMs(browser, `${origin}/_workbench/tables#token=${token}`, 'songs'),
  )
  await browser.close()
  await server.stop()
  return took
}

async function createTable(origin: string): Promise<void> {
  const authorization =
    'AWS4-HMAC-SHA256 Credential=local/20261115/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x'
  const answer = await fetch(origin, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.CreateTable',
      'x-amz-date': '20261115T000000Z',
      authorization,
    },
    body: JSON.stringify({
      TableName: 'songs',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  })
  if (!answer.ok) throw new Error(`CreateTable was refused: ${await answer.text()}`)
}

async function often(times: number, measure: () => Promise<number>): Promise<number> {
  const each: number[] = []
  for (let time = 0; time < times; time++) each.push(await measure())
  return median(each)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}
