import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { open } from 'hashrange'
import { testCertificate } from '@hashrange/server/test-certificate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashrangeMain } from '../support/hashrange-main.ts'
import { HashrangeProcess } from '../support/hashrange-process.ts'
import { needsBoto3, programThat, run, type Finished } from '../support/programs.ts'
import { describeIf } from '../support/requirement.ts'
import { rounds } from '../support/rounds.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-tls-'))
const issuer = testCertificate('Test CA')
const files = { ca: join(folder, 'ca.pem'), cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
let server: HashrangeProcess
let endpoint: string

beforeAll(async () => {
  const certificate = testCertificate('db.example.com', { issuer })
  writeFileSync(files.ca, issuer.cert)
  writeFileSync(files.cert, certificate.cert)
  writeFileSync(files.key, certificate.key)
  server = HashrangeProcess.start([
    '--port',
    '0',
    '--memory',
    '--shared',
    '--tls-cert',
    files.cert,
    '--tls-key',
    files.key,
  ])
  endpoint = `https://127.0.0.1:${await server.ready()}`
})

afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('hashrange start with TLS', () => {
  test('serves the AWS SDK, and the workbench to browsers', async () => {
    expect(server.printed).toContain(`--endpoint-url ${endpoint}`)
    const client = sdk()
    await client.createTable(music)
    expect((await client.listTables({})).TableNames).toEqual(['Music'])
    client.destroy()
  })

  test('is not trusted by clients that do not know the issuer', async () => {
    const failure: unknown = await fetch(endpoint).catch((error: unknown) => error)
    expect(failure).toMatchObject({ cause: { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' } })
  })

  test('tells the SDK that came without TLS where to go', async () => {
    const client = new DynamoDB({ ...config, endpoint: endpoint.replace('https', 'http'), maxAttempts: 1 })
    await expect(client.listTables({})).rejects.toThrow('Use https:// in the address')
    client.destroy()
  })
})

describe('commands', () => {
  const asked: [string, string[]][] = [
    ['export', ['--table', 'Music', '--to', join(folder, 'exports')]],
    ['backups', []],
    ['top', ['--once']],
    ['cost', ['--recorded']],
    ['snapshot', ['--to', join(folder, 'snapshots')]],
    ['verify', []],
  ]
  // All of them send what they ask through the same client.
  test.each(asked.slice(0, rounds(2, asked.length)))(
    '%s reaches the server with --ca, and says what is missing without it',
    async (name, words) => {
      const known = await command(name, ...words, '--endpoint', endpoint, '--ca', files.ca)
      expect(known, known.stderr).toMatchObject({ code: name === 'snapshot' ? known.code : 0 })
      expect(known.stderr).not.toMatch(/certificate/)
      const unknown = await command(name, ...words, '--endpoint', endpoint)
      expect(unknown.stderr).toContain('name its certificate: --ca FILE')
      expect(unknown.code).not.toBe(0)
    },
  )

  test('are told to use https', async () => {
    const { stderr } = await command('verify', '--endpoint', endpoint.replace('https', 'http'))
    expect(stderr).toContain('Use https:// in the address')
  })

  test('that expect TLS where there is none are told to use http', async () => {
    await using database = await open()
    const plain = await database.listen()
    const { stderr } = await command('verify', '--endpoint', plain.endpoint.replace('http', 'https'))
    expect(stderr).toContain('Use http:// in the address')
  })

  test.each([
    ['/nowhere.pem', 'cannot be read'],
    [files.key, 'contains no certificate'],
  ])('refuse --ca %s', async (file, why) => {
    const { stderr, code } = await command('top', '--ca', file)
    expect(stderr).toContain(why)
    expect(code).toBe(2)
  })

  const mistakes: [string[], string][] = [
    [['--tls-cert', 'a.pem'], '--tls-key FILE'],
    [['--tls-key', 'a.pem'], '--tls-cert FILE'],
    [['--tls-client-ca', 'a.pem'], '--tls-client-ca needs TLS'],
    [['--tls-cert', '/nowhere.pem', '--tls-key', '/nowhere.pem'], 'Correct --tls-cert'],
    [['--tls-cert', files.cert, '--tls-key', files.cert], 'Correct --tls-key'],
    [['--tls-cert', files.ca, '--tls-key', files.key], 'does not belong to the certificate'],
  ]
  test.each(mistakes)('start %j says what is missing', async (words, why) => {
    const { stderr, code } = await command('start', '--memory', '--port', '0', ...words)
    expect(stderr).toContain(why)
    expect(code).not.toBe(0)
  })
})

describe('listen', () => {
  test('serves over TLS with texts instead of files', async () => {
    await using database = await open()
    const listening = await database.listen({ tls: testCertificate('localhost', { issuer }) })
    expect(listening.endpoint).toMatch(/^https:/)
    const client = sdk(listening.endpoint)
    expect((await client.listTables({})).TableNames).toEqual([])
    client.destroy()
  })

  test('refuses what is no certificate', async () => {
    await using database = await open()
    await expect(database.listen({ tls: { cert: '/nowhere', key: '/nowhere' } })).rejects.toThrow('/nowhere')
    const wrong: unknown[] = [
      true,
      'cert.pem',
      {},
      { cert: 'a' },
      { cert: 1, key: 2 },
      { cert: 'a', key: 'b', ca: 'c' },
    ]
    for (const tls of wrong) {
      await expect(database.listen({ tls } as never)).rejects.toThrow('tls must be { cert, key }')
    }
  })
})

const needsCurl = programThat('curl', ['--version'], 'curl is not installed.', 'https')
describeIf(needsCurl, 'curl', () => {
  test('reaches the server over TLS 1.2 and 1.3, and not below', async () => {
    const ask = (...words: string[]): Promise<Finished> =>
      run('curl', ['-sS', '--cacert', files.ca, ...words, endpoint])
    expect((await ask('--tls-max', '1.2')).stdout).toContain('healthy')
    expect((await ask('--tlsv1.3')).stdout).toContain('healthy')
    expect((await ask('--tls-max', '1.1')).code).not.toBe(0)
  })
})

const needsOpenssl = programThat('openssl', ['version'], 'openssl is not installed.', 'OpenSSL')
describeIf(needsOpenssl, 'openssl', () => {
  test('verifies the chain and agrees on http/1.1', async () => {
    const address = endpoint.replace('https://', '')
    const words = ['s_client', '-connect', address, '-CAfile', files.ca, '-alpn', 'h2,http/1.1']
    const { stdout } = await run('openssl', words)
    expect(stdout).toContain('Verify return code: 0 (ok)')
    expect(stdout).toContain('ALPN protocol: http/1.1')
  })
})

describeIf(needsBoto3, 'boto3', () => {
  test('lists tables', async () => {
    const text = `
import boto3
client = boto3.client("dynamodb", endpoint_url="${endpoint}", region_name="us-east-1", verify="${files.ca}")
print(client.list_tables()["TableNames"])`
    const { stdout, stderr } = await run('python3', ['-c', text])
    expect(stdout, stderr).toContain('Music')
  })
})

const config = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
const music = {
  TableName: 'Music',
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }],
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' as const }],
  BillingMode: 'PAY_PER_REQUEST' as const,
}

function sdk(place = endpoint): DynamoDB {
  return new DynamoDB({
    ...config,
    endpoint: place,
    requestHandler: { httpsAgent: new Agent({ ca: issuer.cert }) },
  })
}

function command(...words: readonly string[]): Promise<Finished> {
  return run(process.execPath, [hashrangeMain, ...words])
}
