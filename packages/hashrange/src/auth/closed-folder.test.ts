import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IAM } from '@aws-sdk/client-iam'
import { STS } from '@aws-sdk/client-sts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { open } from '../open.ts'
import { readAuthFlags } from './auth-flags.ts'
import { secretKeyPath } from './secret-key-source.ts'

describe('a closed folder', () => {
  let path: string
  beforeEach(async () => (path = await mkdtemp(join(tmpdir(), 'hashrange-closed-'))))
  afterEach(() => rm(path, { recursive: true, force: true }))

  test('knows its identities when it is opened again, with the key beside it', async () => {
    const first = await open({ path, auth: true })
    await new IAM(first.clientConfig).createUser({ UserName: 'ann' })
    const { AccessKey: key } = await new IAM(first.clientConfig).createAccessKey({ UserName: 'ann' })
    const before = first.clientConfig.credentials
    await first.close()
    expect((await stat(secretKeyPath(path))).mode & 0o777).toBe(0o600)

    const second = await open({ path, auth: true })
    for (const credentials of [
      before,
      { accessKeyId: key?.AccessKeyId ?? '', secretAccessKey: key?.SecretAccessKey ?? '' },
    ]) {
      await new STS({ ...second.clientConfig, credentials }).getCallerIdentity({})
    }
    await second.close()
  })

  test('does not open without its key, nor with another one', async () => {
    await (await open({ path, auth: true })).close()
    await rm(secretKeyPath(path))
    await expect(open({ path, auth: true })).rejects.toThrow(/were encrypted with a key that cannot be read/)
    await writeFile(secretKeyPath(path), Buffer.alloc(32, 1).toString('base64'))
    await expect(open({ path, auth: true })).rejects.toThrow(
      'The secrets in this store were encrypted with another key.',
    )
    await writeFile(secretKeyPath(path), 'no key')
    await expect(open({ path, auth: true })).rejects.toThrow(/must contain 32 bytes in base64 or hexadecimal/)
    // What is open has no use for it.
    await (await open({ path })).close()
  })

  test('tells a client of an open one that no key can be made, rather than failing', async () => {
    await (await open({ path, auth: true })).close()
    await rm(secretKeyPath(path))
    const db = await open({ path })
    await expect(new IAM(db.clientConfig).createAccessKey({})).rejects.toMatchObject({
      name: 'FeatureDisabledException',
    })
    await db.close()
  })
})

describe('the flags of a closed server', () => {
  const read = (values: Parameters<typeof readAuthFlags>[0], environment: Record<string, string> = {}) =>
    readAuthFlags(
      values,
      (name) => environment[name],
      (value) => value === '1',
    )

  test('close it, from the command line and from the environment', () => {
    expect(read({})).not.toHaveProperty('auth')
    expect(read({ auth: true })).toMatchObject({ auth: true })
    expect(read({}, { HASHRANGE_AUTH: '1' })).toMatchObject({ auth: true })
    expect(read({ 'secret-key-file': 'a' }, { HASHRANGE_SECRET_KEY: 'b' })).toEqual({ secretKeyFile: 'a' })
    const root = { HASHRANGE_ROOT_ACCESS_KEY_ID: 'AKIA', HASHRANGE_ROOT_SECRET_ACCESS_KEY: 'a long secret' }
    expect(read({ auth: true }, root)).toMatchObject({
      rootKey: { accessKeyId: 'AKIA', secretAccessKey: 'a long secret' },
    })
  })

  test.each([
    [{ identities: 'a.json' }, {}, /Add --auth/],
    [{ auth: true }, { HASHRANGE_ROOT_ACCESS_KEY_ID: 'AKIA' }, /are needed together/],
    [
      { auth: true },
      { HASHRANGE_ROOT_ACCESS_KEY_ID: 'a b', HASHRANGE_ROOT_SECRET_ACCESS_KEY: 'a long secret' },
      /letters/,
    ],
    [
      { auth: true },
      { HASHRANGE_ROOT_ACCESS_KEY_ID: 'AKIA', HASHRANGE_ROOT_SECRET_ACCESS_KEY: 'short' },
      /at least 8/,
    ],
  ])('say what is wrong with them: %j %j', (values, environment, message) => {
    expect(read(values, environment)).toEqual({ mistake: expect.stringMatching(message) })
  })
})
