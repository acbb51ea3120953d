import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { expect, test } from 'vitest'
import { containerPlan } from 'hashrange/testcontainers'
import { HashrangeProcess } from '../support/hashrange-process.ts'

/** What the image sets, as Docker would read it. */
function imageEnvironment(): Record<string, string> {
  const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')
  const line = /^ENV (.*)$/m.exec(dockerfile)?.[1] ?? ''
  return Object.fromEntries(line.split(' ').map((pair) => pair.split('=', 2) as [string, string]))
}

test('a container of the module starts with the environment of the image, is waited for, and has its tables and items', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-container-'))
  const template = join(folder, 'template.json')
  const Properties = {
    TableName: 'Orders',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  }
  writeFileSync(template, JSON.stringify({ Resources: { Orders: { Type: 'AWS::DynamoDB::Table', Properties } } }))
  writeFileSync(join(folder, 'Orders.json'), '[{ "id": "1" }, { "id": "2" }]')
  const administrator = { accessKeyId: 'AKIAADMIN', secretAccessKey: 'of the administrator' }
  const plan = containerPlan({ apply: [template], seed: [join(folder, 'Orders.json')], administrator })
  expect(imageEnvironment()['HASHRANGE_PORT']).toBe(String(plan.port))
  expect(plan.files.map(({ target }) => target)).toEqual(['/apply/0/template.json', '/seed/0/Orders.json'])

  const words = plan.command.slice(1).map((word) => plan.files.find((file) => file.target === word)?.source ?? word)
  const environment = { ...imageEnvironment(), ...plan.environment }
  const server = HashrangeProcess.start([...words, '--port', '0'], [], environment)
  try {
    const endpoint = `http://127.0.0.1:${await server.ready()}`
    await expect.poll(async () => (await fetch(endpoint + plan.readyPath)).status).toBe(200)
    const client = new DynamoDB({ endpoint, region: 'us-east-1', credentials: plan.credentials })
    expect((await client.scan({ TableName: 'Orders' })).Count).toBe(2)
    client.destroy()
  } finally {
    await server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
})
