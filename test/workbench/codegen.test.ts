import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AttributeValue, DynamoDB } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needsAwsCli, needsBoto3, programThat, run } from '../support/programs.ts'
import { describeIf } from '../support/requirement.ts'
import { servedDatabase } from '../support/targets.ts'
import { createCodeTable } from './support/create-code-table.ts'

interface ServiceRequest {
  readonly operation: 'GetItem' | 'Query' | 'Scan' | 'ExecuteStatement'
  readonly input: Readonly<Record<string, unknown>>
}

/** The page is no package that others import; its module is found by its path. */
const module = fileURLToPath(new URL('../../packages/workbench/src/codegen/generate-code.ts', import.meta.url))
const { generateCode } = (await import(/* @vite-ignore */ module)) as {
  generateCode: (language: string, requests: readonly ServiceRequest[], target: object) => string
}

// The generated code, as it is pasted, sends what the page sends: it is run, and its answer compared with that of the request.

const hostile = 'it\'s "quoted" \\ `$HOME` ${x} \\u0041 %s {} \n\t\u202e\u{1f600} ;--'
const table = 'code-gen'

const requests: Readonly<Record<string, readonly ServiceRequest[]>> = {
  'a key with every kind of quote': [
    { operation: 'GetItem', input: { TableName: table, Key: { pk: { S: hostile }, sk: { N: '1' } } } },
  ],
  'a query with a filter and a projection': [
    {
      operation: 'Query',
      input: {
        TableName: table,
        KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :from AND :to',
        FilterExpression: 'contains(#note, :note) AND #tags = :tags AND #flag = :flag',
        ProjectionExpression: '#pk, #sk, #note',
        ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk', '#note': hostile, '#tags': 'tags', '#flag': 'flag' },
        ExpressionAttributeValues: {
          ':pk': { S: 'many' },
          ':from': { N: '-5.5' },
          ':to': { N: '12345678901234567890123' },
          ':note': { S: "o'clock" },
          ':tags': { SS: ['a', 'b'] },
          ':flag': { M: { on: { BOOL: true }, none: { NULL: true }, list: { L: [{ N: '1' }, { S: 'x' }] } } },
        },
        ScanIndexForward: false,
        ConsistentRead: true,
      },
    },
  ],
  'a query with a limit': [
    {
      operation: 'Query',
      input: {
        TableName: table,
        KeyConditionExpression: '#pk = :pk',
        ExpressionAttributeNames: { '#pk': 'pk' },
        ExpressionAttributeValues: { ':pk': { S: 'many' } },
        Limit: 2,
      },
    },
  ],
  'a scan of several pages': [{ operation: 'Scan', input: { TableName: table } }],
  'the shards of a query': ['many', 'few', "it's"].map((S) => ({
    operation: 'Query',
    input: {
      TableName: table,
      KeyConditionExpression: '#pk = :pk AND #sk < :sk',
      ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
      ExpressionAttributeValues: { ':pk': { S }, ':sk': { N: '2' } },
    },
  })),
  'a statement with parameters': [
    {
      operation: 'ExecuteStatement',
      input: {
        Statement: `SELECT * FROM "${table}"\nWHERE pk = ? AND sk > ?`,
        Parameters: [{ S: 'many' }, { N: '0' }],
      },
    },
  ],
}

const database = servedDatabase()
const target = () => ({ region: 'us-east-1', endpoint: database.endpoint(), accessKeyId: 'AKIDEXAMPLE' })
let client: DynamoDB

beforeAll(async () => {
  client = await createCodeTable(database.endpoint(), table)
  const flag: AttributeValue = {
    M: { on: { BOOL: true }, none: { NULL: true }, list: { L: [{ N: '1' }, { S: 'x' }] } },
  }
  const put = (Item: Record<string, AttributeValue>) => client.putItem({ TableName: table, Item })
  await put({ pk: { S: hostile }, sk: { N: '1' }, note: { S: hostile } })
  for (const sk of ['-6', '0', '1', '2', '3']) {
    await put({
      pk: { S: 'many' },
      sk: { N: sk },
      [hostile]: { S: "five o'clock" },
      tags: { SS: ['b', 'a'] },
      flag,
    })
  }
  await put({ pk: { S: "it's" }, sk: { N: '1' } })
  // So that a scan has more than one page.
  for (const sk of ['1', '2', '3', '4'])
    await put({ pk: { S: 'few' }, sk: { N: sk }, big: { S: 'x'.repeat(350_000) } })
})
afterAll(() => client.destroy())

type Plain = Record<string, unknown>

/** What the service answers, all pages of it. */
async function expected(all: readonly ServiceRequest[]): Promise<Plain[]> {
  const items: Plain[] = []
  for (const { operation, input } of all) {
    const sent = input as never
    if (operation === 'GetItem') return [unmarshall((await client.getItem(sent)).Item ?? {})]
    let start: object = {}
    for (;;) {
      const page = await (operation === 'Query'
        ? client.query({ ...input, ...start } as never)
        : operation === 'Scan'
          ? client.scan({ ...input, ...start } as never)
          : client.executeStatement({ ...input, ...start } as never))
      items.push(...(page.Items ?? []).map((item) => unmarshall(item)))
      const last = 'LastEvaluatedKey' in page ? page.LastEvaluatedKey : undefined
      if (last === undefined || input['Limit'] !== undefined) break
      start = { ExclusiveStartKey: last }
    }
  }
  expect(items).not.toEqual([])
  return items
}

/** Sets have no order, and long content says nothing. */
function comparable(items: readonly Plain[]): string[] {
  return items.map((item) =>
    JSON.stringify(
      Object.entries(item)
        .filter(([name]) => name !== 'big')
        .map(([name, value]) => [name, sorted(value)])
        .toSorted(([one], [other]) => byText(one, other)),
    ),
  )
}

function byText(one: unknown, other: unknown): number {
  return String(one) < String(other) ? -1 : 1
}

function sorted(value: unknown): unknown {
  if (value instanceof Set) return [...value].map(String).toSorted(byText)
  if (Array.isArray(value))
    return value.every((each) => typeof each === 'string') ? value.toSorted(byText) : value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value).map(([name, member]) => [name, sorted(member)])
}

const root = fileURLToPath(new URL('../../', import.meta.url))

async function output(program: string, args: readonly string[], code = ''): Promise<string> {
  const { code: exit, stdout, stderr } = await run(program, args, code, root)
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.not.stringMatching(/error/i) as unknown })
  return stdout
}

for (const [name, all] of Object.entries(requests)) {
  test(`JavaScript: ${name}`, async () => {
    const code = generateCode('javascript', all, target()).replace(
      /console\.log\((item|items)\)/,
      'console.log(JSON.stringify([$1].flat(), (_, value) => (value instanceof Set ? [...value] : value)))',
    )
    const found = JSON.parse(await output(process.execPath, ['--input-type=module', '-'], code)) as Plain[]
    expect(comparable(found)).toEqual(comparable(await expected(all)))
  })
}

describeIf(needsBoto3, 'code for boto3', () => {
  const show = `
import json, decimal
def plain(value):
    if isinstance(value, decimal.Decimal): return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, set): return sorted(value)
    if isinstance(value, dict): return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list): return [plain(each) for each in value]
    return value
`
  for (const [name, all] of Object.entries(requests)) {
    test(name, async () => {
      const code = generateCode('python', all, target())
        .replace('print(items)', `${show}print(json.dumps(plain(items)))`)
        .replace('print(response.get("Item"))', `${show}print(json.dumps([plain(response.get("Item"))]))`)
      const found = JSON.parse(await output('python3', ['-'], code)) as Plain[]
      expect(comparable(found)).toEqual(comparable(await expected(all)))
    })
  }
})

describeIf(needsAwsCli, 'commands of the AWS CLI', () => {
  for (const [name, all] of Object.entries(requests)) {
    test(name, async () => {
      const command = generateCode('cli', all, target())
      const stdout = await output('sh', ['-c', command])
      // A document for each request, one after the other.
      const documents = JSON.parse(`[${stdout.trim().replaceAll(/\n\}\n\{/g, '\n},{')}]`) as {
        Item?: Record<string, AttributeValue>
        Items?: Record<string, AttributeValue>[]
      }[]
      const found = documents.flatMap(({ Item, Items = [] }) => (Item === undefined ? Items : [Item]))
      expect(comparable(found.map((item) => unmarshall(item)))).toEqual(comparable(await expected(all)))
    })
  }
})

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hashrange-code-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const codeOf = (language: string): string[] =>
  Object.values(requests).map((all) => generateCode(language, all, target()))

describeIf(programThat('gofmt', [], 'There is no gofmt.'), 'code for Go', () => {
  test('is written as gofmt writes it', async () => {
    await inFolder(async (folder) => {
      for (const [position, code] of codeOf('go').entries()) await writeFile(join(folder, `${position}.go`), code)
      const { stdout, stderr } = await run('gofmt', ['-d', folder])
      expect(stderr + stdout).toBe('')
    })
  })
})

describeIf(programThat('javac', ['-version'], 'There is no javac.'), 'code for Java', () => {
  test('is Java: what the compiler misses is the SDK alone', async () => {
    await inFolder(async (folder) => {
      for (const [position, code] of codeOf('java').entries()) {
        await writeFile(
          join(folder, `Example${position}.java`),
          code.replace('class Example', `class Example${position}`),
        )
      }
      const files = codeOf('java').map((_, position) => join(folder, `Example${position}.java`))
      const { stderr } = await run('javac', ['-encoding', 'UTF-8', '-Xmaxerrs', '1000', '-d', folder, ...files])
      const errors = [...stderr.matchAll(/error: (.*)/g)].map(([, words = '']) => words)
      expect(errors.filter((words) => !/does not exist|cannot find symbol/.test(words))).toEqual([])
    })
  })
})
