import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { open } from '../open.ts'
import { checkNode } from '../doctor/check-machine.ts'
import { checkServer } from '../doctor/check-server.ts'
import { runDoctor } from './doctor.ts'

let folder: string
let told: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hashrange-doctor-'))
  told = ''
  vi.spyOn(console, 'log').mockImplementation((text: string) => void (told += `${text}\n`))
  vi.spyOn(console, 'error').mockImplementation((text: string) => void (told += `${text}\n`))
  // What the machine has is not what is tested.
  for (const name of Object.keys(process.env)) if (/^AWS_|_proxy$/i.test(name)) vi.stubEnv(name, undefined)
  vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'))
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'credentials'))
})

afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

const examine = (...words: string[]): Promise<number> => runDoctor(['--path', join(folder, 'data'), ...words])

/** Where nothing listens. */
async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

/** The time that is waited for an answer, in milliseconds instead of seconds. */
function timedOut(): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(new DOMException('The operation timed out', 'TimeoutError')), 300)
  return controller.signal
}

describe('doctor', () => {
  test('names what is wrong in the configuration file', async () => {
    const config = join(folder, 'hashrange.config.json')
    vi.stubEnv('HASHRANGE_CONFIG', config)
    await writeFile(config, '{ "trigger": [] }')
    await examine('--endpoint', await freeAddress())
    expect(told).toContain('There is no setting "trigger"; did you mean "triggers"?')
    await writeFile(config, '\uFEFF{ "triggers": [] }')
    await examine('--endpoint', await freeAddress())
    expect(told).toContain(`The configuration file ${config} is valid.`)
  })

  test('finds nothing wrong with a server and credentials for it', async () => {
    const db = await open()
    await db.execute('CreateTable', {
      TableName: 'orders',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    })
    const { endpoint } = await db.listen(0)
    vi.stubEnv('AWS_REGION', 'us-east-1')
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'local')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local')
    expect([await examine('--endpoint', endpoint), told]).toEqual([
      0,
      expect.stringContaining('No problems found.'),
    ])
    expect(told).toContain(`hashrange answers at ${endpoint}, and is ready.`)
    expect(told).toMatch(/tables? in us-east-1 for this access key/)
    await db.close()
  })

  test('says what clients lack, and that nothing answers', async () => {
    const endpoint = await freeAddress()
    expect(await examine('--endpoint', endpoint)).toBe(1)
    expect(told).toContain('Run: export AWS_REGION=us-east-1')
    expect(told).toContain('There are no credentials')
    expect(told).toContain(`Nothing answers at ${endpoint} (ECONNREFUSED).`)
    expect(told).toContain(`hashrange start --port ${new URL(endpoint).port}`)
    expect(told).toContain('3 problems found.')
  })

  test('reads the profile as the AWS CLI does, and shows no whole key', async () => {
    await writeFile(join(folder, 'config'), '[default]\nregion = eu-west-1\n[profile other]\nregion=eu-north-1\n')
    await writeFile(join(folder, 'credentials'), '[ other ]\naws_access_key_id = AKIAIOSFODNN7EXAMPLE\n')
    vi.stubEnv('AWS_PROFILE', 'other')
    await examine('--endpoint', await freeAddress())
    expect(told).toContain('The region is eu-north-1.')
    expect(told).toContain('The access key is AKIA…MPLE, of the profile other.')
  })

  test('recognises a stranger on the port', async () => {
    const endpoint = await freeAddress()
    const stranger = createServer((_, response) => response.writeHead(400).end('{}'))
    await once(stranger.listen(Number(new URL(endpoint).port), '127.0.0.1'), 'listening')
    expect(await examine('--endpoint', endpoint)).toBe(1)
    expect(told).toContain('is not hashrange (HTTP 400)')
    stranger.close()
  })

  test.each([
    ['does not speak HTTP', (socket: Socket) => socket.end('220 mail.example.com ESMTP\r\n')],
    ['does not speak HTTP', (socket: Socket) => socket.destroy()],
    ['has not answered within 5 seconds', () => undefined],
  ])('says that what listens there %s: %#', async (sentence, greet) => {
    const stranger = createTcpServer((socket) => void greet(socket.on('error', () => undefined)))
    await once(stranger.listen(0, '127.0.0.1'), 'listening')
    const endpoint = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
    const elapsed = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timedOut())
    expect(await examine('--endpoint', endpoint)).toBe(1)
    elapsed.mockRestore()
    expect(told).toContain(`What listens at ${endpoint} ${sentence}.`)
    expect(told).toContain('start hashrange on another port')
    stranger.close()
  })

  test('says that a proxy gets what is meant for this machine, and names a region that is none', async () => {
    const endpoint = await freeAddress()
    vi.stubEnv('AWS_REGION', 'us-east1')
    vi.stubEnv('HTTP_PROXY', 'http://proxy.example.com:3128')
    vi.stubEnv('NO_PROXY', '.example.com')
    await examine('--endpoint', endpoint)
    expect(told).toContain('HTTP_PROXY is set, so the AWS CLI and boto3 do not reach 127.0.0.1')
    expect(told).toContain('Run: export NO_PROXY=.example.com,127.0.0.1,localhost')
    expect(told).toContain('The region is us-east1, which is not the name of a region of AWS.')
    told = ''
    vi.stubEnv('NO_PROXY', 'localhost, 127.0.0.1')
    await examine('--endpoint', endpoint)
    expect(told).not.toContain('_PROXY')
  })

  test('notices a clock that is off', async () => {
    const db = await open()
    const { endpoint } = await db.listen(0)
    const findings = await checkServer(endpoint, () => Date.now() + 3_600_000)
    expect(findings.map(({ kind }) => kind)).toEqual(['good', 'problem'])
    expect(findings[1]?.text).toMatch(/differ by (3599|3600|3601) seconds/)
    await db.close()
  })

  test.each([
    ['18.19.1', 'problem'],
    ['20.20.2', 'note'],
    ['24.0.0', 'good'],
  ])('Node.js %s: %s', (version, kind) => {
    expect(checkNode(version).kind).toBe(kind)
  })

  test.each(['file', 'file/data'])('says that %s cannot be a folder', async (name) => {
    await writeFile(join(folder, 'file'), '')
    expect(await runDoctor(['--path', join(folder, name), '--endpoint', await freeAddress()])).toBe(1)
    expect(told).toContain('is a file.')
  })

  test('takes a word that is no address for what it is', async () => {
    expect(await examine('--endpoint', 'file:///etc/passwd')).toBe(1)
    expect(told).toContain('"file:///etc/passwd" is not an address.')
    expect(await runDoctor(['--endpont', 'x'])).toBe(2)
  })
})
