import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { open } from '../open.ts'
import { runTransfer } from './run-transfer.ts'
import { useTerminal } from './testing/use-terminal.ts'
import type { TransferCommand } from '../transfer-command.ts'

const terminal = useTerminal('branches')

/** What a command says, and its exit code if that is not 0. */
async function run(line: string, ...more: readonly string[]): Promise<string> {
  terminal.told = ''
  const [command, ...words] = line.split(' ')
  const code = await runTransfer(command as TransferCommand, [...words, ...more])
  return code === 0 ? terminal.told : `${code}: ${terminal.told}`
}

test('branches and snapshots of a running server, and of its folder', async () => {
  const path = join(terminal.folder, 'data')
  const db = await open({ path })
  const put = (to: Pick<DynamoDB, 'putItem'>, id: string, v: string): Promise<unknown> =>
    to.putItem({ TableName: 'notes', Item: { id: { S: id }, v: { S: v } } })
  const all = async (of: Pick<DynamoDB, 'scan'>): Promise<string[]> =>
    ((await of.scan({ TableName: 'notes' })).Items ?? []).map(({ id, v }) => `${id?.S}=${v?.S}`).toSorted()
  await db.execute('CreateTable', {
    TableName: 'notes',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await put(db.client, 'a', '1')
  await put(db.client, 'b', '1')
  const server = await db.listen()
  const { endpoint } = server
  const at = ['--endpoint', endpoint]
  const clientOf = (accessKeyId: string): DynamoDB =>
    new DynamoDB({
      endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId, secretAccessKey: 'x' },
      maxAttempts: 1,
    })

  expect(await run('branch create try-this', ...at)).toContain('x-hashrange-branch: try-this')
  expect(await run('branch create try-this', ...at)).toMatch(/^1: .*There is already a branch named try-this\.\n$/)
  expect(await run('branch create ../x', ...at)).toContain('cannot be a name')
  const byKey = clientOf('branch:try-this:local')
  const byHeader = clientOf('local')
  byHeader.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> }
      headers['x-hashrange-branch'] = 'try-this'
      return next(args)
    },
    { step: 'build' },
  )
  await put(byKey, 'a', '2')
  await byHeader.deleteItem({ TableName: 'notes', Key: { id: { S: 'b' } } })
  await put(byHeader, 'c', '2')
  await put(db.client, 'b', '3')
  expect([await all(byKey), await all(byHeader), await all(db.client)]).toEqual([
    ['a=2', 'c=2'],
    ['a=2', 'c=2'],
    ['a=1', 'b=3'],
  ])
  for (const key of ['branch:nobody:local', 'branch:nobody', 'branch::', 'branch:__proto__:x', 'branch:%41:x']) {
    const client = clientOf(key)
    await expect(client.listTables()).rejects.toThrow('There is no branch named')
    client.destroy()
  }
  const lines = (await run('branch diff try-this --json', ...at)).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        table: 'notes',
        change: 'changed',
        key: { id: { S: 'a' } },
        before: { id: { S: 'a' }, v: { S: '1' } },
        after: { id: { S: 'a' }, v: { S: '2' } },
      }),
      expect.objectContaining({ change: 'deleted', key: { id: { S: 'b' } } }),
      expect.objectContaining({ change: 'created', key: { id: { S: 'c' } } }),
    ]),
  )
  expect(lines).toHaveLength(3)
  expect(await run('branch diff try-this', ...at)).toContain('3 changes.')

  expect(await run('reset', ...at)).toContain('There is no snapshot to go back to')
  expect(await run('snapshot save first', ...at)).toBe('Saved the snapshot first.\n')
  await put(db.client, 'd', '4')
  expect(await run('snapshot diff first', ...at)).toContain('+ notes {"id":{"S":"d"}} created')
  expect(await run('reset', ...at)).toBe('Everything is as it was in the snapshot first.\n')
  expect(await all(db.client)).toEqual(['a=1', 'b=3'])
  await db.in('eu-west-1').execute('ListTables')
  await server.close()
  byKey.destroy()
  byHeader.destroy()
  await db.branch()
  await db.close()

  const inFolder = ['--path', path]
  expect(await run('branch list', ...inFolder)).toMatch(/^try-this {2}\d{4}-\S+\n$/)
  expect(await run('branch delete try-this', ...inFolder)).toBe('Deleted the branch try-this.\n')
  expect(await run('branch list', ...inFolder)).toBe('There are no branches.\n')
  expect(await run('snapshot list', ...inFolder)).toMatch(/^first {2}/)
  expect(await run('snapshot restore first', ...inFolder)).toContain('as it was')
  expect(await run('snapshot delete first', ...inFolder)).toBe('Deleted the snapshot first.\n')
  expect(await run('branch frob', ...inFolder)).toContain('2: hashrange: "frob" is not an action')
  expect(await run('branch create', ...inFolder)).toContain('Give a name')
})
