import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgresStore } from '@hashrange/postgres'
import { startPostgres, type PostgresServer } from '@hashrange/postgres/testing'
import { testCertificate } from '@hashrange/server/test-certificate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Elsewhere this machine has one address only. */
const isLinux = process.platform === 'linux'
const authority = testCertificate('authority of the tests')
const stranger = testCertificate('another authority')
const files = mkdtempSync(join(tmpdir(), 'hashrange-tls-'))
const file = (name: string, content: string): string => {
  writeFileSync(join(files, name), content)
  return encodeURIComponent(join(files, name))
}
const ca = file('ca.crt', authority.cert)
const strangeCa = file('stranger.crt', stranger.cert)

let secure: PostgresServer
let plain: PostgresServer
beforeAll(async () => {
  const own = testCertificate('db.test', { issuer: authority })
  ;[secure, plain] = await Promise.all([
    startPostgres({
      ...(isLinux && { settings: { listen_addresses: '127.0.0.1,127.0.0.2' } }),
      tls: { ...own, clientCa: authority.cert },
      access: [
        'hostssl all only_tls     all scram-sha-256',
        'hostssl all by_cert      all cert',
        'hostnossl all only_plain all scram-sha-256',
        'host    all postgres     all password',
      ],
    }),
    startPostgres(),
  ])
  const roles = ['only_tls', 'only_plain', 'by_cert'].map(
    (name) => `CREATE ROLE ${name} SUPERUSER LOGIN PASSWORD 'password'`,
  )
  await secure.query(roles.join(';'))
}, 60_000)
afterAll(async () => {
  await Promise.all([secure.remove(), plain.remove()])
  rmSync(files, { recursive: true, force: true })
})

/** Whether the connection of a store with this URL is encrypted. */
async function isEncrypted(
  server: PostgresServer,
  query: string,
  user = 'postgres',
  host = '127.0.0.1',
): Promise<boolean> {
  const name = `t${Math.random().toString(36).slice(2)}`
  const url = `postgres://${user}:password@${host}:${server.port}/postgres?schema=${name}&application_name=${name}&${query}`
  const store = await openPostgresStore({ url, poolSize: 2 })
  try {
    const rows = await server.query(
      `SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = '${name}'`,
    )
    return rows.length > 0 && rows.every(({ ssl }) => ssl === true)
  } finally {
    await store.close()
  }
}

describe('TLS to the database', () => {
  test('is used where the server has it, unless told otherwise', async () => {
    expect(await isEncrypted(secure, '')).toBe(true)
    expect(await isEncrypted(plain, '')).toBe(false)
    expect(await isEncrypted(secure, 'sslmode=prefer')).toBe(true)
    expect(await isEncrypted(secure, 'sslmode=disable')).toBe(false)
    expect(await isEncrypted(secure, 'sslmode=allow')).toBe(false)
  })

  test('is what allow and prefer find out, where the server wants one of the two', async () => {
    expect(await isEncrypted(secure, 'sslmode=allow', 'only_tls')).toBe(true)
    expect(await isEncrypted(secure, 'sslmode=prefer', 'only_plain')).toBe(false)
    await expect(isEncrypted(secure, 'sslmode=disable', 'only_tls')).rejects.toThrow('no encryption')
    await expect(isEncrypted(secure, 'sslmode=require', 'only_plain')).rejects.toThrow('pg_hba.conf')
  })

  test('is required by require, which believes anybody', async () => {
    expect(await isEncrypted(secure, 'sslmode=require')).toBe(true)
    await expect(isEncrypted(plain, 'sslmode=require')).rejects.toThrow('does not support SSL')
    // Whoever names authorities wants them heeded.
    expect(await isEncrypted(secure, `sslmode=require&sslrootcert=${ca}`)).toBe(true)
    await expect(isEncrypted(secure, `sslmode=require&sslrootcert=${strangeCa}`)).rejects.toThrow(/certificate/)
  })

  test('with verify-ca asks for the authority, with verify-full for the name as well', async () => {
    expect(await isEncrypted(secure, `sslmode=verify-ca&sslrootcert=${ca}`)).toBe(true)
    await expect(isEncrypted(secure, `sslmode=verify-ca&sslrootcert=${strangeCa}`)).rejects.toThrow(/certificate/)
    await expect(isEncrypted(secure, 'sslmode=verify-ca')).rejects.toThrow('needs sslrootcert')
    // Its certificate is for 127.0.0.1, too.
    expect(await isEncrypted(secure, `sslmode=verify-full&sslrootcert=${ca}`)).toBe(true)
    expect(await isEncrypted(secure, `sslmode=verify-full&sslrootcert=${ca}`, 'postgres', 'localhost')).toBe(true)
    await expect(isEncrypted(secure, 'sslmode=verify-full')).rejects.toThrow(/certificate/)
  })

  test.runIf(isLinux)('refuses a server whose certificate is for other names only with verify-full', async () => {
    const other = '127.0.0.2'
    expect(await isEncrypted(secure, `sslmode=verify-ca&sslrootcert=${ca}`, 'postgres', other)).toBe(true)
    await expect(isEncrypted(secure, `sslmode=verify-full&sslrootcert=${ca}`, 'postgres', other)).rejects.toThrow(
      'not in the cert',
    )
  })

  test('proves who the client is with a certificate', async () => {
    const own = testCertificate('by_cert', { issuer: authority })
    const query = `sslcert=${file('client.crt', own.cert)}&sslkey=${file('client.key', own.key)}`
    expect(await isEncrypted(secure, `sslmode=require&${query}`, 'by_cert')).toBe(true)
    await expect(isEncrypted(secure, 'sslmode=require', 'by_cert')).rejects.toThrow('certificate')
  })

  test('says what is wrong with its settings', async () => {
    await expect(isEncrypted(secure, 'sslmode=on')).rejects.toThrow('Use one of disable, allow, prefer, require')
    await expect(isEncrypted(secure, 'sslmode=verify-full&sslrootcert=/nowhere')).rejects.toThrow(
      'The file /nowhere, which sslrootcert names for the store, cannot be read (ENOENT).',
    )
    await expect(isEncrypted(secure, `sslcert=${ca}`)).rejects.toThrow('both sslcert and sslkey')
  })

  test('is also set by the environment, as for other programs', async () => {
    process.env['PGSSLMODE'] = 'disable'
    try {
      expect(await isEncrypted(secure, '')).toBe(false)
      expect(await isEncrypted(secure, 'sslmode=require')).toBe(true)
    } finally {
      delete process.env['PGSSLMODE']
    }
  })
})

test('a password with special characters, and a Unix socket', async () => {
  const socketFolder = mkdtempSync(join(tmpdir(), 'hashrange-socket-'))
  chmodSync(socketFolder, 0o777)
  const server = await startPostgres({ socketFolder })
  try {
    const password = 'p@ss/w%rd:#?&=ä '
    await server.query(`CREATE ROLE odd SUPERUSER LOGIN PASSWORD '${password}'`)
    const credentials = `odd:${encodeURIComponent(password)}`
    const folder = encodeURIComponent(socketFolder)
    for (const url of [
      `postgres://${credentials}@127.0.0.1:${server.port}/postgres`,
      `postgres://${credentials}@${folder}:${server.port}/postgres`,
      `postgres://${credentials}@/postgres?host=${folder}&port=${server.port}`,
    ]) {
      const store = await openPostgresStore({ url, poolSize: 2 })
      await store.close()
    }
    await expect(
      openPostgresStore({ url: `postgres://odd:wrong@127.0.0.1:${server.port}/postgres` }),
    ).rejects.toThrow('password authentication failed')
  } finally {
    await server.remove()
    rmSync(socketFolder, { recursive: true, force: true })
  }
})
