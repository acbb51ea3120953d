import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

/** As it is installed: built. */
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))

let folder: string
const running: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hashrange-main-'))
})

afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

describe('hashrange start', () => {
  test('serves, stops when asked, and finds its data again', async () => {
    const first = run('start', '--port', '0')
    const client = clientOf(await first.endpoint)
    await client.send(
      new CreateTableCommand({
        TableName: 'Users',
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    )
    first.child.kill('SIGTERM')
    expect(await first.exit).toEqual({ code: 0, errors: '' })
    client.destroy()

    const second = run('start', '--port', '0')
    const again = clientOf(await second.endpoint)
    expect((await again.send(new ListTablesCommand({}))).TableNames).toEqual(['Users'])
    again.destroy()
    second.child.kill('SIGINT')
    expect((await second.exit).code).toBe(0)
  })

  test('tells of a model that is not there, and serves', async () => {
    const started = run('start', '--port', '0', '--memory', '--model', 'nowhere.model.ts')
    await started.endpoint
    started.child.kill('SIGTERM')
    expect(await started.exit).toEqual({
      code: 0,
      errors: 'hashrange: --model: there is no file nowhere.model.ts. The workbench shows it when it is there.\n',
    })
  })

  test('says what to do when the folder or the port is taken', async () => {
    const first = run('start', '--port', '0')
    const { port } = new URL(await first.endpoint)
    const sameFolder = await run('start', '--port', '0').exit
    expect(sameFolder.code).toBe(1)
    expect(sameFolder.errors).toContain('choose another folder with --path')
    const samePort = await run('start', '--port', port, '--memory').exit
    expect(samePort.code).toBe(1)
    expect(samePort.errors).toContain(`Port ${port} of 127.0.0.1 is taken.`)
    expect(samePort.errors.trim().split('\n').length).toBe(1)
  })
})

test('a mistake is explained with exit code 2', async () => {
  expect(await run('start', '--prot', '1').exit).toEqual({
    code: 2,
    errors: 'hashrange: There is no flag --prot. Is --port meant? See: hashrange help\n',
  })
})

interface Run {
  readonly child: ChildProcess
  readonly endpoint: Promise<string>
  readonly exit: Promise<{ readonly code: number | null; readonly errors: string }>
}

function run(...words: string[]): Run {
  const child = spawn(process.execPath, [main, ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  let output = ''
  let errors = ''
  const endpoint = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /at (http:\/\/\S+)/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const exit = new Promise<{ code: number | null; errors: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, errors }))
  })
  return { child, endpoint, exit }
}

function clientOf(endpoint: string): DynamoDBClient {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  return new DynamoDBClient({ endpoint, region: 'us-east-1', credentials })
}
