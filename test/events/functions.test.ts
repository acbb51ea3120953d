import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { zipOf } from '@hashrange/templates'
import { HashrangeProcess } from '../support/hashrange-process.ts'
import { LambdaClient } from './lambda-client.ts'

let folder: string
let server: HashrangeProcess
let emulator: Server
let endpoint: string
let lambda: LambdaClient

const files = {
  'on-order.ts': `
    import { label } from './label.ts'
    export const handler = async (event: { name?: string }): Promise<object> => {
      console.log('called for', event.name)
      return { label: label as string, name: event.name, endpoint: process.env['AWS_ENDPOINT_URL'] }
    }`,
  'label.ts': `export const label: string = 'first'`,
  'odd.mjs': `
    export const endless = () => { for (;;); }
    export const greedy = async () => { const all = []; for (;;) { all.push(Buffer.alloc(1e7, 1)); await 1 } }
    export const dies = () => process.exit(3)
    export const throws = async () => { throw new TypeError('no') }
    export const calls = (event, context, callback) => setTimeout(() => callback(null, { left: context.getRemainingTimeInMillis() > 0 }), 5)
    export const secrets = async () => Object.keys(process.env).filter((name) => name.startsWith('HASHRANGE_'))`,
  'broken.mjs': `export const handler = async () => 1; throw new Error('at its start')`,
  // Any program in any language could be this one.
  bootstrap: `#!/usr/bin/env node
    const base = 'http://' + process.env.AWS_LAMBDA_RUNTIME_API + '/2018-06-01/runtime'
    const run = async () => {
      for (;;) {
        const next = await fetch(base + '/invocation/next')
        const id = next.headers.get('lambda-runtime-aws-request-id')
        const event = await next.json()
        const path = event.fails ? '/error' : '/response'
        const body = event.fails ? { errorType: 'Own', errorMessage: 'as asked' } : { echo: event, arn: next.headers.get('lambda-runtime-invoked-function-arn') }
        await fetch(base + '/invocation/' + id + path, { method: 'POST', body: JSON.stringify(body) })
      }
    }
    run().catch(() => process.exit(1))`,
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hashrange-functions-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  chmodSync(join(folder, 'bootstrap'), 0o755)
  emulator = createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json')
    request.on('data', () => undefined).on('end', () => response.end('{"emulated":true}'))
  })
  await new Promise<void>((resolve) => emulator.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(emulator.address() as AddressInfo).port}/2015-03-31/functions/function/invocations`
  const handler = (name: string): object => ({ handler: join(folder, name) })
  writeFileSync(
    join(folder, 'hashrange.config.json'),
    JSON.stringify({
      functions: {
        'on-order': join(folder, 'on-order.handler'),
        endless: { ...handler('odd.endless'), timeout: 1 },
        greedy: { ...handler('odd.greedy'), memorySize: 128 },
        dies: handler('odd.dies'),
        throws: handler('odd.throws'),
        calls: handler('odd.calls'),
        secrets: handler('odd.secrets'),
        broken: handler('broken.handler'),
        program: join(folder, 'bootstrap'),
        emulated: url,
      },
    }),
  )
  server = HashrangeProcess.start(['--memory', '--port', '0', '--config', join(folder, 'hashrange.config.json')])
  endpoint = `http://127.0.0.1:${await server.ready()}`
  lambda = new LambdaClient(endpoint)
})

afterAll(async () => {
  await server.stop()
  emulator.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a function', () => {
  test('in TypeScript is called, reaches this server, prints to its log, and is loaded again when it changes', async () => {
    const { status, headers, json } = await lambda.invoke('on-order', { name: 'ana' }, { 'X-Amz-Log-Type': 'Tail' })
    expect(status).toBe(200)
    expect(json).toEqual({ label: 'first', name: 'ana', endpoint })
    expect(headers.get('X-Amz-Executed-Version')).toBe('$LATEST')
    const log = Buffer.from(headers.get('X-Amz-Log-Result') ?? '', 'base64').toString('utf8')
    expect(log).toMatch(/^START RequestId: [\w-]+ Version: \$LATEST\n[^]*END RequestId: [\w-]+\nREPORT RequestId: /)
    await expect.poll(() => server.printed).toContain('on-order | called for ana')
    writeFileSync(join(folder, 'label.ts'), `export const label: string = 'second'`)
    await expect.poll(async () => (await lambda.invoke('on-order', {})).json['label']).toBe('second')
  })

  test.each([
    ['endless', 'Sandbox.Timedout', /Task timed out after 1\.00 seconds/],
    ['greedy', 'Runtime.OutOfMemory', /signal: killed/],
    ['dies', 'Runtime.ExitError', /exit status 3/],
    ['throws', 'TypeError', /^no$/],
    ['broken', 'Error', /at its start/],
  ])('that is %s fails, and can be called again', async (name, errorType, errorMessage) => {
    for (let time = 0; time < (name === 'dies' ? 2 : 1); time++) {
      const { status, headers, json } = await lambda.invoke(name, {})
      expect(status).toBe(200)
      expect(headers.get('X-Amz-Function-Error')).toBe('Unhandled')
      expect(json).toMatchObject({ errorType, errorMessage: expect.stringMatching(errorMessage) as unknown })
    }
  })

  test('may call back', async () => {
    expect((await lambda.invoke('calls', {})).json).toEqual({ left: true })
  })

  test('does not see what is meant for the server', async () => {
    expect((await lambda.invoke('secrets', {})).text).toBe('[]')
  })

  test('may be a program that speaks the runtime API', async () => {
    const [one, other] = await Promise.all([lambda.invoke('program', { a: 1 }), lambda.invoke('program', { a: 2 })])
    expect([one.json['echo'], other.json['echo']]).toEqual([{ a: 1 }, { a: 2 }])
    expect(one.json['arn']).toMatch(/^arn:aws:lambda:us-east-1:\d{12}:function:program$/)
    expect((await lambda.invoke('program', { fails: true })).json).toEqual({
      errorType: 'Own',
      errorMessage: 'as asked',
    })
  })

  test('may be behind a URL', async () => {
    expect((await lambda.invoke('emulated', {})).json).toEqual({ emulated: true })
  })
})

describe('Invoke', () => {
  test('of a function that is not there is refused in Lambda’s words', async () => {
    const { status, headers, json } = await lambda.invoke('nothing', {})
    expect(status).toBe(404)
    expect(headers.get('x-amzn-ErrorType')).toBe('ResourceNotFoundException')
    expect(json['Message']).toMatch(/^Function not found: arn:aws:lambda:us-east-1:\d{12}:function:nothing$/)
  })

  test.each<[string, string, Record<string, string>, number]>([
    ['no JSON', '{', {}, 400],
    ['an unknown type', '{}', { 'X-Amz-Invocation-Type': 'Never' }, 400],
    ['a dry run', '{}', { 'X-Amz-Invocation-Type': 'DryRun' }, 204],
    ['an event', '{}', { 'X-Amz-Invocation-Type': 'Event' }, 202],
    ['nothing', '', {}, 200],
  ])('with %s', async (_name, body, headers, status) => {
    expect((await lambda.invoke('on-order', body, headers)).status).toBe(status)
  })

  test('takes a name, an ARN, or a part of one', async () => {
    const { json } = await lambda.send('GET', '/2015-03-31/functions/on-order')
    const { FunctionArn: arn } = json['Configuration'] as { FunctionArn: string }
    for (const name of [arn, `${arn}:$LATEST`, arn.split(':').slice(4).join(':'), 'on-order:$LATEST']) {
      expect((await lambda.invoke(encodeURIComponent(name), {})).status).toBe(200)
    }
    expect((await lambda.invoke(encodeURIComponent(`${arn}:7`), {})).status).toBe(404)
  })
})

test('calls and errors of functions are metrics of CloudWatch', async () => {
  await lambda.invoke('throws', {})
  const sumOf = async (MetricName: string): Promise<number> => {
    const now = Math.floor(Date.now() / 1000)
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-amz-json-1.0',
        'X-Amz-Target': 'GraniteServiceVersion20100801.GetMetricStatistics',
        'X-Amz-Date': '20260101T000000Z',
        Authorization:
          'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/monitoring/aws4_request, SignedHeaders=host, Signature=0',
      },
      body: JSON.stringify({
        Namespace: 'AWS/Lambda',
        MetricName,
        Dimensions: [{ Name: 'FunctionName', Value: 'throws' }],
        StartTime: now - 600,
        EndTime: now + 60,
        Period: 3600,
        Statistics: ['Sum'],
      }),
    })
    const { Datapoints } = (await response.json()) as { Datapoints: readonly { Sum: number }[] }
    return Datapoints.reduce((sum, { Sum }) => sum + Sum, 0)
  }
  await expect.poll(() => sumOf('Errors')).toBeGreaterThan(0)
  expect(await sumOf('Invocations')).toBe(await sumOf('Errors'))
})

describe('a package', () => {
  const create = (name: string, zip: Buffer, more: object = {}, headers: Record<string, string> = {}) =>
    lambda.send(
      'POST',
      '/2015-03-31/functions',
      {
        FunctionName: name,
        Runtime: 'nodejs20.x',
        Role: 'arn:aws:iam::123456789012:role/any',
        Handler: 'index.handler',
        Timeout: 10,
        Code: { ZipFile: zip.toString('base64') },
        ...more,
      },
      headers,
    )
  const returning = (value: number): Buffer =>
    zipOf([{ name: 'index.mjs', content: Buffer.from(`export const handler = async () => ${value}`) }])

  test('is unpacked and run, changed, and removed', async () => {
    expect((await create('zipped', returning(1))).status).toBe(201)
    expect((await lambda.invoke('zipped', {})).text).toBe('1')
    expect((await create('zipped', returning(1))).status).toBe(409)
    const path = '/2015-03-31/functions/zipped'
    const changed = await lambda.send('PUT', `${path}/code`, { ZipFile: returning(2).toString('base64') })
    expect(changed.status).toBe(200)
    expect((await lambda.invoke('zipped', {})).text).toBe('2')
    expect((await lambda.send('PUT', `${path}/configuration`, { Timeout: 7 })).json['Timeout']).toBe(7)
    expect((await lambda.send('DELETE', path)).status).toBe(204)
    expect((await lambda.send('GET', path)).status).toBe(404)
  })

  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['no zip', Buffer.from('PK no zip at all')],
    ['a name that leads out', zipOf([{ name: '../../evil.js', content: Buffer.from('x') }])],
    ['an absolute name', zipOf([{ name: '/tmp/evil.js', content: Buffer.from('x') }])],
    ['a link', altered(returning(1), modeAt, 0o120777 * 2 ** 16)],
    ['a size that is not true', altered(returning(1), bytesAt, 2 ** 31)],
    ['less than it says', returning(1).subarray(0, -30)],
  ])('of %s is refused', async (_name, zip) => {
    const { status, json } = await create('hostile', zip)
    expect([status, json['Message']]).toEqual([400, expect.stringMatching(/zip/i)])
  })

  test('of a runtime that is not there is refused with what there is', async () => {
    expect((await create('java', returning(1), { Runtime: 'java21' })).json['Message']).toContain('provided')
  })

  test('is not taken from a web page, not even of this machine', async () => {
    const { status, json } = await create('page', returning(1), {}, { Origin: 'http://localhost:3000' })
    expect(status).toBe(403)
    expect(json['Message']).toBe('Web pages cannot create functions or change their code.')
    expect((await create('page', returning(1), {}, { Origin: 'https://evil.example' })).status).toBe(403)
  })
})

test('a server that other machines can reach takes no code from anybody', async () => {
  const open = HashrangeProcess.start(['--memory', '--port', '0', '--host', '0.0.0.0', '--insecure'])
  try {
    const client = new LambdaClient(`http://127.0.0.1:${await open.ready()}`)
    const { status, json } = await client.send('POST', '/2015-03-31/functions', {
      FunctionName: 'remote',
      Runtime: 'nodejs20.x',
      Role: 'arn:aws:iam::123456789012:role/any',
      Handler: 'index.handler',
      Code: { ZipFile: zipOf([{ name: 'index.mjs', content: Buffer.alloc(0) }]).toString('base64') },
    })
    expect(status).toBe(403)
    expect(json['Message']).toContain('--function')
  } finally {
    await open.stop()
  }
})

/** Where an entry of an archive's directory says how large its file is, and what kind of file it is on Unix. */
const bytesAt = 24
const modeAt = 38

function altered(zip: Buffer, at: number, value: number): Buffer {
  zip.writeUInt32LE(value, zip.indexOf('PK\u0001\u0002') + at)
  return zip
}
