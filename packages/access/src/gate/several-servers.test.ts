import type { Engine } from '@hashrange/engine'
import { TestServers } from '@hashrange/engine/test-servers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessService } from '../access-service.ts'
import { firstAdministrator } from '../declared/first-administrator.ts'
import type { IamContext } from '../iam/iam-context.ts'
import { WrongSecretKey } from '../identities/open-secrets.ts'
import {
  askThrough,
  gateOf,
  refusalOf,
  testSecretKey,
  type ClosedEngine,
  type TestKey,
} from '../testing/closed-engine.ts'

let servers: TestServers
let one: ClosedEngine['ask']
let other: ClosedEngine['ask']
let root: TestKey

beforeAll(async () => {
  servers = await TestServers.begin()
  const first = await openServer()
  const { made } = await firstAdministrator(first.iam)
  if (made === undefined) throw new Error('an empty store has no administrator')
  root = made
  one = first.ask
  other = (await openServer()).ask
})
afterAll(() => servers.close())

async function openServer(secretKey = testSecretKey) {
  let iam: IamContext | undefined
  const service = accessService({ secretKey: () => secretKey, onOpen: (context) => (iam = context) })
  const { engine }: { engine: Engine } = await servers.open({ services: [service] })
  if (iam === undefined) throw new Error('the service was not opened')
  return { iam, ask: askThrough(await gateOf(engine, iam), engine) }
}

test('a key that one server has made opens the other at once', async () => {
  await one(root, 'iam', 'CreateUser', { UserName: 'ann' })
  const key = await newKey('ann')
  expect(await other(key, 'sts', 'GetCallerIdentity')).toMatchObject({ Arn: expect.stringMatching(/user\/ann$/) })
})

test('a key that one server has switched off is soon refused by the other', async () => {
  await one(root, 'iam', 'CreateUser', { UserName: 'bob' })
  const key = await newKey('bob')
  await other(key, 'sts', 'GetCallerIdentity')
  await one(root, 'iam', 'UpdateAccessKey', { UserName: 'bob', AccessKeyId: key.accessKeyId, Status: 'Inactive' })
  await expect
    .poll(async () => codeOf(other(key, 'sts', 'GetCallerIdentity')), { interval: 50 })
    .toBe('UnrecognizedClientException')
})

test('both change identities at the same time', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `crowd-${index}`)
  await Promise.all(
    names.map((name, index) => (index % 2 === 0 ? one : other)(root, 'iam', 'CreateUser', { UserName: name })),
  )
  const { Users: users } = await other(root, 'iam', 'ListUsers')
  expect(users.map(({ UserName: name }: { UserName: string }) => name)).toEqual(expect.arrayContaining(names))
  const made = await Promise.allSettled(
    [one, other].map((ask) => ask(root, 'iam', 'CreateGroup', { GroupName: 'only-one' })),
  )
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a session that one server has begun is known to the other', async () => {
  const { Credentials: made } = await one(root, 'sts', 'GetSessionToken')
  const session = {
    accessKeyId: made.AccessKeyId,
    secretAccessKey: made.SecretAccessKey,
    sessionToken: made.SessionToken,
  }
  expect(await other(session, 'sts', 'GetCallerIdentity')).toMatchObject({ Arn: expect.stringMatching(/:root$/) })
})

test('a server with another key of secrets does not open', async () => {
  await expect(openServer(Buffer.alloc(32, 9))).rejects.toThrow(WrongSecretKey)
})

async function newKey(name: string): Promise<TestKey> {
  const { AccessKey: key } = await one(root, 'iam', 'CreateAccessKey', { UserName: name })
  return { accessKeyId: key.AccessKeyId, secretAccessKey: key.SecretAccessKey }
}

async function codeOf(asked: Promise<unknown>): Promise<string> {
  try {
    await asked
    return 'none'
  } catch {
    return (await refusalOf(asked)).code
  }
}
