import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { AttributeValue, DynamoDB } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needsAwsCli, needsBoto3, programThat, run } from '../support/programs.ts'
import { describeIf } from '../support/requirement.ts'
import { servedDatabase } from '../support/targets.ts'
import { createCodeTable } from './support/create-code-table.ts'

interface AnyRequest {
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
}

/** The page is no package that others import; its module is found by its path. */
const module = fileURLToPath(new URL('../../packages/workbench/src/codegen/generate-code.ts', import.meta.url))
const { generateCode } = (await import(/* @vite-ignore */ module)) as {
  generateCode: (language: string, requests: readonly AnyRequest[], target: object) => string
}

// The generated code is run as it is pasted, and what it has written is compared with what the same requests write.

const hostile = 'it\'s "quoted" \\ `$HOME` ${x} #{y} \\u0041 %s {} \n\t\u202e\u{1f600} ;--'
const table = 'code-writes'
const root = fileURLToPath(new URL('../../', import.meta.url))

/** Every kind of write, of every kind of value, in a partition of its own. */
function requestsFor(pk: string, name = hostile): readonly AnyRequest[] {
  const key = (sk: string) => ({ pk: { S: pk }, sk: { N: sk } })
  return [
    {
      operation: 'PutItem',
      input: {
        TableName: table,
        Item: {
          ...key('1'),
          [name]: { S: hostile },
          long: { N: '12345678901234567890.5' },
          bytes: { B: 'AQL/' },
          map: { M: { list: { L: [{ N: '-1' }, { NULL: true }, { BOOL: false }] }, empty: { M: {} } } },
          texts: { SS: ['a', "b'"] },
          numbers: { NS: ['1', '2.5'] },
          more: { BS: ['AQ==', 'Ag=='] },
        },
        ConditionExpression: 'attribute_not_exists(#pk)',
        ExpressionAttributeNames: { '#pk': 'pk' },
      },
    },
    {
      operation: 'UpdateItem',
      input: {
        TableName: table,
        Key: key('1'),
        UpdateExpression: 'SET #a = :a, #map.#list[0] = :one REMOVE #long',
        ExpressionAttributeNames: { '#a': 'a', '#map': 'map', '#list': 'list', '#long': 'long' },
        ExpressionAttributeValues: { ':a': { S: "o'clock" }, ':one': { N: '1' } },
        ReturnValues: 'ALL_NEW',
      },
    },
    {
      operation: 'BatchWriteItem',
      input: {
        RequestItems: {
          [table]: [
            { PutRequest: { Item: { ...key('2'), on: { BOOL: true } } } },
            { PutRequest: { Item: { ...key('3'), on: { BOOL: false } } } },
            { DeleteRequest: { Key: key('9') } },
          ],
        },
      },
    },
    {
      operation: 'TransactWriteItems',
      input: {
        TransactItems: [
          { Put: { TableName: table, Item: { ...key('4'), text: { S: hostile } } } },
          {
            Update: {
              TableName: table,
              Key: key('2'),
              UpdateExpression: 'ADD #n :n',
              ExpressionAttributeNames: { '#n': 'n' },
              ExpressionAttributeValues: { ':n': { N: '2' } },
            },
          },
          {
            ConditionCheck: {
              TableName: table,
              Key: key('1'),
              ConditionExpression: 'attribute_exists(#a)',
              ExpressionAttributeNames: { '#a': 'a' },
            },
          },
        ],
      },
    },
    { operation: 'DeleteItem', input: { TableName: table, Key: key('3'), ReturnValues: 'ALL_OLD' } },
  ]
}

const database = servedDatabase()
const target = () => ({ region: 'us-east-1', endpoint: database.endpoint(), accessKeyId: 'AKIDEXAMPLE' })
let client: DynamoDB
let folder = ''
let wanted: unknown

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hashrange-code-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  client = await createCodeTable(database.endpoint(), table)
  for (const { operation, input } of requestsFor('wanted')) await sendPlain(operation, input)
  wanted = await writtenIn('wanted')
  expect(wanted).toHaveLength(3)
})
afterAll(async () => {
  client.destroy()
  await rm(folder, { recursive: true })
})

/** As curl would: the values as they stand. */
async function sendPlain(operation: string, input: object): Promise<void> {
  const response = await fetch(database.endpoint(), {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'x-amz-date': '20260102T030405Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260102/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: JSON.stringify(input),
  })
  expect([operation, response.status]).toEqual([operation, 200])
}

async function writtenIn(pk: string): Promise<unknown[]> {
  const { Items = [] } = await client.query({
    TableName: table,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: pk } },
  })
  return Items.map(({ pk: _pk, ...item }) => sorted(item))
}

/** Maps and sets have no order. */
function sorted(item: Readonly<Record<string, AttributeValue>>): unknown {
  return Object.entries(item)
    .map(([name, value]) => [name, JSON.stringify(value, inOrder)])
    .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1))
}

function inOrder(_name: string, value: unknown): unknown {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.toSorted()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

const codeOf = (language: string, name?: string): string[] =>
  requestsFor(language, name).map((request) => generateCode(language, [request], target()))

async function assertRuns(program: string, args: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, input, root)
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringMatching(/error/i) as unknown })
  return stdout
}

/** Several programs as one. */
function inOne(codes: readonly string[]): string {
  const importing = /import \{ (.*) \} from '(.*)'/g
  const later = (_: string, names: string, from: string): string => `const { ${names} } = await import('${from}')`
  return codes.map((code) => `await (async () => {\n${code.replaceAll(importing, later)}\n})()`).join('\n')
}

test('JavaScript writes what the requests say', async () => {
  const stdout = await assertRuns(process.execPath, ['--input-type=module', '-'], inOne(codeOf('javascript')))
  expect(stdout).toContain("o'clock")
  expect(await writtenIn('javascript')).toEqual(wanted)
})

test('TypeScript is sound, as the compiler sees it', async () => {
  const reads = ['Query', 'ExecuteStatement', 'GetItem'].map((operation) => readOf(operation))
  const codes = [
    ...codeOf('typescript'),
    ...reads.map((request) => generateCode('typescript', [request], target())),
  ]
  const files = await Promise.all(
    codes.map(async (code, position) => {
      const file = join(folder, `example${position}.ts`)
      await writeFile(file, code)
      return file
    }),
  )
  const flags = '--noEmit --strict --skipLibCheck --target es2022 --module nodenext --types node'.split(' ')
  const { code, stdout } = await run(join(root, 'node_modules/.bin/tsc'), [...flags, ...files], '', folder)
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
})

function readOf(operation: string): AnyRequest {
  if (operation === 'ExecuteStatement') return { operation, input: { Statement: `SELECT * FROM "${table}"` } }
  if (operation === 'GetItem')
    return { operation, input: { TableName: table, Key: { pk: { S: 'a' }, sk: { N: '1' } } } }
  return {
    operation,
    input: {
      TableName: table,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'wanted' } },
    },
  }
}

const modelText = `
  import { entity, model, s } from '@hashrange/model'
  const Note = entity('Note', {
    id: s.string(), sk: s.int(), title: s.string().as('t'), big: s.bigint(),
    tags: s.set(s.string()).optional(), at: s.map({ city: s.string() }),
  }).key({ pk: 'NOTE#{id}', sk: '{sk}' })
  export const notes = model({ name: 'code-writes', entities: { Note }, patterns: () => ({}) })
`

test('the model’s client writes what the requests say', async () => {
  const file = join(folder, 'notes.model.js')
  await writeFile(file, modelText)
  const { notes } = (await import(/* @vite-ignore */ file)) as { notes: { description: unknown } }
  const models = [{ file, digest: '', exportName: 'notes', description: notes.description }]
  const page = '../../packages/workbench/src/'
  const load = async (path: string): Promise<unknown> =>
    import(/* @vite-ignore */ fileURLToPath(new URL(page + path, import.meta.url)))
  const { modelClient } = (await load('codegen/model-client.ts')) as {
    modelClient: (call: unknown, target: object) => string
  }
  const { modelWrite } = (await load('views/query/write/model-write.ts')) as {
    modelWrite: (draft: object, request: AnyRequest, table: string, models: readonly object[]) => object | string
  }
  const { buildWrite } = (await load('views/query/write/build-write.ts')) as {
    buildWrite: (draft: object, description: unknown) => { request: AnyRequest }
  }
  const { checkWrite } = (await load('views/query/write/write-draft.ts')) as {
    checkWrite: (draft: object) => object
  }
  const { Table } = await client.describeTable({ TableName: table })

  const drafts = (id: string): readonly object[] => {
    const item = (sk: number): string =>
      JSON.stringify({ pk: `NOTE#${id}`, sk, entity: 'Note', id, t: hostile, big: 1, at: { city: 'Rome' } })
    const key = [`NOTE#${id}`, '1']
    const changes = [
      { action: 'set', path: 't', type: 'S', value: "o'clock" },
      { action: 'add', path: 'big', type: 'N', value: '12345678901234567890' },
      { action: 'add', path: 'tags', type: 'SS', value: '["a", "b"]' },
      { action: 'set', path: 'at.city', type: 'S', value: 'Paris' },
    ]
    const only = (path: string, operator: string, type = 'S', value = '') => ({
      nodes: [{ kind: 'condition', path, operator, type, value }],
    })
    return [
      { rows: [{ kind: 'put', item: item(1), condition: only('pk', 'not exists') }] },
      { rows: [{ kind: 'update', key, changes, condition: only('big', '<', 'N', '2') }] },
      {
        rows: [
          { kind: 'put', item: item(2) },
          { kind: 'check', key, condition: only('t', '=', 'S', "o'clock") },
        ],
      },
      {
        way: 'batch',
        rows: [
          { kind: 'put', item: item(3) },
          { kind: 'put', item: item(4) },
        ],
      },
      { rows: [{ kind: 'delete', key: [`NOTE#${id}`, '3'], condition: only('pk', 'exists') }] },
    ]
  }
  const built = (draft: object): AnyRequest => buildWrite(draft, Table).request
  for (const draft of drafts('asked')) {
    const { operation, input } = built(checkWrite(draft))
    await sendPlain(operation, input)
  }
  const codes = drafts('coded').map((draft) => {
    const checked = checkWrite(draft)
    const call = modelWrite(checked, built(checked), table, models)
    expect(call).not.toBeTypeOf('string')
    return modelClient(call, target()).replace('./notes.model.js', pathToFileURL(file).href)
  })
  const program = join(folder, 'notes.js')
  await writeFile(program, inOne(codes))
  await assertRuns(process.execPath, [program])
  const written = async (id: string): Promise<string> =>
    JSON.stringify(await writtenIn(`NOTE#${id}`)).replaceAll(id, 'ID')
  expect(await written('coded')).toEqual(await written('asked'))
  expect(await writtenIn('NOTE#coded')).toHaveLength(3)
})

describeIf(needsBoto3, 'code for boto3', () => {
  test('writes what the requests say', async () => {
    await assertRuns('python3', ['-'], codeOf('python').join('\n'))
    expect(await writtenIn('python')).toEqual(wanted)
  })
})

describeIf(needsAwsCli, 'commands of the AWS CLI', () => {
  test('write what the requests say', async () => {
    await assertRuns('sh', ['-ec', codeOf('cli').join('\n')])
    // Version 1 of the CLI takes binary values otherwise, as a comment in the code says.
    const withoutBinary = (items: unknown): unknown =>
      JSON.parse(JSON.stringify(items).replaceAll(/\{\\"BS?\\":.*?\}"/g, '"'))
    expect(withoutBinary(await writtenIn('cli'))).toEqual(withoutBinary(wanted))
  })
})

describeIf(programThat('curl', ['--help', 'all'], 'There is no curl.', '--aws-sigv4'), 'commands of curl', () => {
  test('write what the requests say, and read', async () => {
    const quiet = (code: string): string => code.replaceAll(/^(\s*)curl /gm, '$1curl --silent --fail-with-body ')
    await assertRuns('sh', ['-ec', quiet(codeOf('curl').join('\n'))])
    expect(await writtenIn('curl')).toEqual(wanted)
    const shards = ['wanted', 'curl'].map((S) => ({
      ...readOf('Query'),
      input: { ...readOf('Query').input, ExpressionAttributeValues: { ':pk': { S } } },
    }))
    const stdout = await assertRuns('sh', ['-ec', quiet(generateCode('curl', shards, target()))])
    expect(stdout.match(/"Count":3/g)).toHaveLength(2)
  })
})

describeIf(programThat('gofmt', [], 'There is no gofmt.'), 'code for Go', () => {
  test('is written as gofmt writes it', async () => {
    // gofmt has its own idea of columns where one name is much longer than the others.
    for (const [position, code] of codeOf('go', 'name').entries()) {
      await writeFile(join(folder, `${position}.go`), code)
    }
    const { stdout, stderr } = await run('gofmt', ['-d', folder])
    expect(stderr + stdout).toBe('')
  })
})

describeIf(programThat('rustfmt', ['--version'], 'There is no rustfmt.', 'rustfmt'), 'code for Rust', () => {
  test('is Rust, with reads and shards', async () => {
    const shards = ['a', hostile].map((S) => ({
      ...readOf('Query'),
      input: { ...readOf('Query').input, ExpressionAttributeValues: { ':pk': { S } } },
    }))
    const codes = [...codeOf('rust'), generateCode('rust', shards, target())]
    const files = await Promise.all(
      codes.map(async (code, position) => {
        const file = join(folder, `example${position}.rs`)
        await writeFile(file, code)
        return file
      }),
    )
    const { code, stderr } = await run('rustfmt', ['--edition', '2021', '--emit', 'stdout', ...files])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })
})

describeIf(programThat('javac', ['-version'], 'There is no javac.'), 'code for Java', () => {
  test('is Java: what the compiler misses is the SDK alone', async () => {
    const files = await Promise.all(
      codeOf('java').map(async (code, position) => {
        const file = join(folder, `Example${position}.java`)
        await writeFile(file, code.replace('class Example', `class Example${position}`))
        return file
      }),
    )
    const { stderr } = await run('javac', ['-encoding', 'UTF-8', '-Xmaxerrs', '1000', '-d', folder, ...files])
    const errors = [...stderr.matchAll(/error: (.*)/g)].map(([, words = '']) => words)
    expect(errors.filter((words) => !/does not exist|cannot find symbol/.test(words))).toEqual([])
  })
})
