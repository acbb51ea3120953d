import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { STS } from '@aws-sdk/client-sts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HashrangeProcess } from '../support/hashrange-process.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'hashrange-closed-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('hashrange start --auth prints the key of the first administrator, once', async () => {
  const path = join(folder, 'printed')
  const [first, callers] = await startOn(path, {}, async (printed, callerWith) => {
    const key = keyIn(printed)
    expect(key.secretAccessKey).toMatch(/^\S{40}$/)
    return [key, await callerWith(key)] as const
  })
  expect(callers).toBe('arn:aws:iam::123456789012:root')
  expect(statSync(join(path, 'secret.key')).mode & 0o777).toBe(0o600)
  await startOn(path, {}, async (printed, callerWith) => {
    expect(printed).toContain('every request must be signed with a key that it knows')
    expect(printed).not.toContain(first.secretAccessKey)
    expect(printed).not.toContain('AWS_SECRET_ACCESS_KEY')
    expect(await callerWith(first)).toBe('arn:aws:iam::123456789012:root')
  })
})

test('a chosen key is not printed, opens the server, and can be given another secret', async () => {
  const path = join(folder, 'chosen')
  const id = 'AKIAIOSFODNN7EXAMPLE'
  for (const secret of ['the first secret', 'the second secret']) {
    const settings = { HASHRANGE_ROOT_ACCESS_KEY_ID: id, HASHRANGE_ROOT_SECRET_ACCESS_KEY: secret }
    await startOn(path, settings, async (printed, callerWith) => {
      expect(printed).not.toContain(secret)
      const key = { accessKeyId: id, secretAccessKey: secret }
      expect(await callerWith(key)).toMatch(/^arn:aws:iam::\d{12}:root$/)
      await expect(callerWith({ ...key, secretAccessKey: 'the first of all' })).rejects.toMatchObject({
        name: 'SignatureDoesNotMatch',
      })
    })
  }
})

interface Key {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

async function startOn<Result>(
  path: string,
  settings: Readonly<Record<string, string>>,
  use: (printed: string, callerWith: (key: Key) => Promise<string | undefined>) => Promise<Result>,
): Promise<Result> {
  const server = HashrangeProcess.start(['--port', '0', '--auth', '--no-workbench', '--path', path], [], settings)
  try {
    const endpoint = `http://127.0.0.1:${await server.ready()}`
    return await use(server.printed, async (credentials) => {
      const sts = new STS({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 })
      try {
        return (await sts.getCallerIdentity({})).Arn
      } finally {
        sts.destroy()
      }
    })
  } finally {
    await server.stop()
  }
}

function keyIn(printed: string): Key {
  const [, accessKeyId = ''] = /AWS_ACCESS_KEY_ID=(\S+)/.exec(printed) ?? []
  const [, secretAccessKey = ''] = /AWS_SECRET_ACCESS_KEY=(\S+)/.exec(printed) ?? []
  return { accessKeyId, secretAccessKey }
}
