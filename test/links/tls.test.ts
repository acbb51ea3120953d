import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { testCertificate } from '@hashrange/server/test-certificate'
import { afterAll, expect, test } from 'vitest'
import { hashrangeMain } from '../support/hashrange-main.ts'
import { HashrangeProcess } from '../support/hashrange-process.ts'
import { run } from '../support/programs.ts'
import { Wire } from './wire.ts'

const folder = mkdtempSync(join(tmpdir(), 'hashrange-tls-links-'))
const issuer = testCertificate('Test CA')
const files = { ca: join(folder, 'ca.pem'), cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
const certificate = testCertificate('db.example.com', { issuer })
writeFileSync(files.ca, issuer.cert)
writeFileSync(files.cert, certificate.cert)
writeFileSync(files.key, certificate.key)

const virginia = 'us-east-1'
const dublin = 'eu-west-1'
const closing: (() => unknown)[] = []

afterAll(async () => {
  for (const close of closing.toReversed()) await close()
  rmSync(folder, { recursive: true, force: true })
})

test('servers replicate over TLS with a certificate of their own issuer, and a stranger is not trusted', async () => {
  const toDublin = await wire()
  const toVirginia = await wire()
  const us = await startServer(virginia, `${dublin}=${secure(toDublin)}`, toVirginia, ['--replicate-ca', files.ca])
  // It does not know who issued the certificate of the other: it can be asked, but cannot ask.
  const eu = await startServer(dublin, `${virginia}=${secure(toVirginia)}`, toDublin, [])
  const inVirginia = client(us, virginia)
  const inDublin = client(eu, dublin)
  await inDublin.createTable({
    TableName: 'Music',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await inDublin.putItem({ TableName: 'Music', Item: { pk: { S: 'before' } } })
  await inDublin.updateTable({ TableName: 'Music', ReplicaUpdates: [{ Create: { RegionName: virginia } }] })
  const found = async (pk: string): Promise<string | undefined> =>
    inVirginia.getItem({ TableName: 'Music', Key: { pk: { S: pk } } }).then(
      ({ Item }) => Item?.['pk']?.S,
      () => undefined,
    )
  await expect.poll(() => found('before'), { timeout: 20_000 }).toBe('before')
  await inDublin.putItem({ TableName: 'Music', Item: { pk: { S: 'after' } } })
  await expect.poll(() => found('after'), { timeout: 20_000 }).toBe('after')

  const { stdout } = await command('top', '--once', '--endpoint', us, '--ca', files.ca)
  expect(stdout).toMatch(new RegExp(`LINKED SERVERS\\n.*${dublin}.*https://.*up`))
  const { stdout: report } = await command('region', '--endpoint', eu, '--ca', files.ca)
  expect(report).toMatch(/The link to us-east-1 .* is down: .*certificate/i)
}, 60_000)

async function wire(): Promise<Wire> {
  const opened = await Wire.open()
  closing.push(() => opened.close())
  return opened
}

function secure({ url }: Wire): string {
  return url.replace('http:', 'https:')
}

async function startServer(region: string, link: string, leads: Wire, flags: readonly string[]): Promise<string> {
  const tls = ['--tls-cert', files.cert, '--tls-key', files.key]
  const words = ['--port', '0', '--memory', '--no-workbench', '--region', region, '--replicate', link, ...tls]
  const server = HashrangeProcess.start([...words, ...flags])
  closing.push(() => server.stop())
  const endpoint = `https://127.0.0.1:${await server.ready()}`
  leads.leadTo(endpoint)
  return endpoint
}

function client(endpoint: string, region: string): DynamoDB {
  const made = new DynamoDB({
    endpoint,
    region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    requestHandler: { httpsAgent: new Agent({ ca: issuer.cert }) },
  })
  closing.push(() => made.destroy())
  return made
}

function command(...words: readonly string[]): ReturnType<typeof run> {
  return run(process.execPath, [hashrangeMain, ...words])
}
