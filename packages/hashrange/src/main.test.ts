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

  test('prints the address of the workbench, whose secret opens it; each start has another', async () => {
    const tokens: string[] = []
    for (let start = 0; start < 2; start++) {
      const { child, workbench, exit } = run('start', '--port', '0', '--memory')
      const address = new URL(await workbench)
      const token = new URLSearchParams(address.hash.slice(1)).get('token') ?? ''
      tokens.push(token)
      const ask = async (sent: string): Promise<number> => {
        const headers = { 'content-type': 'application/json', 'x-hashrange-workbench': sent }
        return (await fetch(new URL('/_workbench/api/info', address), { method: 'POST', headers, body: '{}' }))
          .status
      }
      expect(await ask(token)).toBe(200)
      expect(await ask('1')).toBe(401)
      expect(await ask(tokens[0] ?? '')).toBe(start === 0 ? 200 : 401)
      child.kill('SIGTERM')
      expect((await exit).code).toBe(0)
    }
    expect(tokens[0]).not.toBe(tokens[1])
  })

  test('tells of a model that is not there, and serves', async () => {
    const started = run('start', '--port', '0', '--memory', '--model', 'nowhere.model.ts')
    await started.endpoint
    started.child.kill('SIGTERM')
    expect(await started.exit).toEqual({
      code: 0,
      errors:
        'hashrange: --model: there is no file or folder nowhere.model.ts. The workbench will show it once it exists.\n',
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
    expect(samePort.errors).toContain(`Port ${port} on 127.0.0.1 is already in use.`)
    expect(samePort.errors.trim().split('\n').length).toBe(1)
  })
})

test('a mistake is explained with exit code 2', async () => {
  expect(await run('start', '--prot', '1').exit).toEqual({
    code: 2,
    errors: 'hashrange: There is no flag --prot. Did you mean --port? See: hashrange help\n',
  })
})

interface Run {
  readonly child: ChildProcess
  readonly endpoint: Promise<string>
  readonly workbench: Promise<string>
  readonly exit: Promise<{ readonly code: number | null; readonly errors: string }>
}

function run(...words: string[]): Run {
  const child = spawn(process.execPath, [main, ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  let output = ''
  let errors = ''
  const printed = (pattern: RegExp) =>
    new Promise<string>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        const found = pattern.exec(output)?.[1]
        if (found !== undefined) resolve(found)
      })
    })
  const endpoint = printed(/API at (http:\/\/\S+)/)
  const workbench = printed(/workbench is at (http:\/\/\S+)\n/)
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const exit = new Promise<{ code: number | null; errors: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, errors }))
  })
  return { child, endpoint, workbench, exit }
}

function clientOf(endpoint: string): DynamoDBClient {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  return new DynamoDBClient({ endpoint, region: 'us-east-1', credentials })
}
