import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { apiHandlers } from './api-handlers.ts'
import { createTable, scope, useServedWorkbench } from './testing/use-served-workbench.ts'

const start = useServedWorkbench()

describe('the page', () => {
  test('is where a browser that opens the root is sent, and health checks are answered as ever', async () => {
    const requester = await start()
    const opened = await requester.get('/', { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect(opened).toMatchObject({ status: 307 })
    expect(opened.headers.get('location')).toBe('/_workbench/')
    expect(opened.headers.get('vary')).toBe('Accept')
    for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }]) {
      const health = await requester.get('/', headers)
      expect(health).toMatchObject({ status: 200 })
      expect(health.body.toString()).toMatch(/^healthy: /)
    }
  })

  test('is served for every path that is a view, under a policy with a nonce of its own', async () => {
    const requester = await start()
    const [first, second] = await Promise.all([
      requester.get('/_workbench/'),
      requester.get('/_workbench/items/shop?index=gsi1'),
    ])
    const nonces = [first, second].map(({ headers, body }) => {
      const policy = headers.get('content-security-policy') ?? ''
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
      expect(body.toString()).toContain(`<meta name="csp-nonce" content="${nonce}">`)
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("default-src 'none'")
      return nonce
    })
    expect(new Set(nonces).size).toBe(2)
    expect(first.headers.get('cache-control')).toBe('no-store')
    expect(first.headers.get('x-content-type-options')).toBe('nosniff')
    expect(first.headers.get('referrer-policy')).toBe('no-referrer')
  })

  test('has files that never change, compressed as the browser likes, and unchanged ones are not sent again', async () => {
    const requester = await start()
    const plain = await requester.get('/_workbench/assets/app-1.js')
    expect(plain.body.toString()).toBe('app()')
    expect(plain.headers.get('content-encoding')).toBeUndefined()
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const gzipped = await requester.get('/_workbench/assets/app-1.js', { 'Accept-Encoding': 'br;q=0, gzip' })
    expect(gzipped.headers.get('content-encoding')).toBe('gzip')
    expect(gunzipSync(gzipped.body).toString()).toBe('app()')
    const brotli = await requester.get('/_workbench/assets/app-1.js', { 'Accept-Encoding': 'gzip, deflate, br' })
    expect(brotli.headers.get('content-encoding')).toBe('br')
    const again = await requester.get('/_workbench/assets/app-1.js', {
      'Accept-Encoding': 'gzip, deflate, br',
      'If-None-Match': `W/${brotli.headers.get('etag') ?? ''}`,
    })
    expect(again).toMatchObject({ status: 304, body: Buffer.alloc(0) })
    expect((await requester.get('/_workbench/theme.js')).headers.get('cache-control')).toBe('no-cache')
  })

  const outside = [
    '/_workbench/../secret.js',
    '/_workbench/assets/../../secret.js',
    '/_workbench/%2e%2e/secret.js',
    '/_workbench/assets/..%2f..%2fsecret.js',
    '/_workbench/./assets/app-1.js',
    '/_workbench//secret.js',
    '/_workbench/.hidden.js',
    '/_workbench/assets/app-1.js.gz',
    '/_workbench/index.html',
    '/_workbench/missing.js',
  ]
  for (const path of outside) {
    test(`has nothing at ${path}`, async () => {
      const requester = await start()
      expect(await requester.get(path)).toMatchObject({ status: 404 })
    })
  }

  test('is at the address of every table, whatever a file could be called', async () => {
    const requester = await start()
    for (const path of ['items/orders', 'items/orders.v2', 'heat/app-1.js', 'tables/a.b-c_d.JSON', 'query/...']) {
      const { status, headers } = await requester.get(`/_workbench/${path}`)
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
    }
  })

  test('takes no other method', async () => {
    const requester = await start()
    const answer = await requester.send('POST', '/_workbench/', {}, '{}')
    expect(answer).toMatchObject({ status: 405 })
    expect(answer.headers.get('allow')).toBe('GET, HEAD')
  })

  test('says so if it is not built, and is asked for again by the browser', async () => {
    const requester = await start({ pageFolder: join(tmpdir(), 'hashrange-no-such-folder') })
    const answer = await requester.get('/_workbench/tables')
    expect(answer).toMatchObject({ status: 503 })
    expect(answer.body.toString()).toContain('npm run build')
    expect(answer.headers.get('refresh')).toBe('2')
  })
})

describe('the API', () => {
  test('carries out operations in any account and region', async () => {
    const requester = await start()
    expect(await requester.api(`dynamodb/CreateTable?${scope}`, createTable)).toMatchObject({ status: 200 })
    expect(await requester.api(`dynamodb/ListTables?${scope}`)).toMatchObject({ json: { TableNames: ['shop'] } })
    const elsewhere = 'account=123456789012&region=eu-west-1'
    expect(await requester.api(`dynamodb/ListTables?${elsewhere}`)).toMatchObject({ json: { TableNames: [] } })
    expect(await requester.api(`dynamodb/ListStreams?${scope}`)).toMatchObject({ json: { Streams: [] } })
    expect(await requester.api(`dynamodb/DynamoDB_20120810.ListTables?${scope}`)).toMatchObject({
      json: { TableNames: ['shop'] },
    })
    expect(await requester.api(`tables?${scope}`)).toMatchObject({
      json: { tables: [{ table: { TableName: 'shop' }, timeToLive: { TimeToLiveStatus: 'DISABLED' } }] },
    })
  })

  test('answers refusals in the service’s words', async () => {
    const requester = await start()
    expect(await requester.api(`dynamodb/GetItem?${scope}`, { TableName: 'none', Key: {} })).toMatchObject({
      status: 400,
      json: {
        __type: expect.stringMatching(/#ResourceNotFoundException$/),
        message: 'Requested resource not found',
      },
    })
    expect(await requester.api(`dynamodb/Nonsense?${scope}`)).toMatchObject({ status: 400 })
    expect(await requester.api('dynamodb/ListTables')).toMatchObject({ status: 400, json: { __type: 'BadScope' } })
    expect(await requester.api('nothing')).toMatchObject({ status: 404 })
    expect(await requester.api('%E0%A4%A')).toMatchObject({ status: 400 })
  })

  test('says which scopes have tables, and where clients as in the greeting look by default', async () => {
    const requester = await start({ shared: false })
    const { json: empty } = await requester.api('info')
    expect(empty).toMatchObject({ scopes: [], defaultScope: { accessKeyId: 'local', region: 'us-east-1' } })
    const { json: ofKey } = await requester.api('scope-of-key', { accessKeyId: 'test', region: 'eu-west-1' })
    const { accountId } = ofKey as { accountId: string }
    await requester.api(`dynamodb/CreateTable?account=${accountId}&region=eu-west-1`, createTable)
    expect(await requester.api('info')).toMatchObject({
      json: {
        scopes: [{ accountId, region: 'eu-west-1', tables: 1, accessKeyId: 'test' }],
        defaultScope: { accountId },
      },
    })
  })

  test('sends nothing that lets another origin read its answers', async () => {
    const requester = await start()
    const answer = await requester.api('info')
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

describe('whatever is asked', () => {
  const about = [
    ...apiHandlers.keys(),
    'heat/table',
    'models/open',
    'models/save',
    'models/explain',
    'dynamodb/PutItem',
  ]

  test('what is no JSON object is refused as such', async () => {
    const requester = await start()
    for (const path of about) {
      for (const body of ['null', '[]', '[{}]', '7', '"text"', 'true', '{', '{"a":1}{', '\u0000']) {
        const answer = await requester.send('POST', `/_workbench/api/${path}?${scope}`, requester.pageHeaders, body)
        expect(answer, `${path} ${body}`).toMatchObject({ status: 400, json: { __type: 'BadRequest' } })
      }
    }
  })

  test('what every object has is no action and no handler', async () => {
    const requester = await start()
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', '%5f_proto__']) {
      for (const path of [name, `models/${name}`, `heat/${name}`]) {
        expect(await requester.api(`${path}?${scope}`), path).toMatchObject({
          status: 404,
          json: { __type: 'NotFound' },
        })
      }
      expect(await requester.api(`dynamodb/${name}?${scope}`)).toMatchObject({ status: 400 })
      expect(await requester.api(`heat/table?${scope}`, { table: 'shop', range: name })).toMatchObject({
        status: 400,
      })
    }
  })

  test('nor does it name a kind of file', async () => {
    const requester = await start()
    expect(await requester.get('/_workbench/page.constructor')).toMatchObject({ status: 404 })
  })

  test('hostile members are refused, and nothing fails', async () => {
    const requester = await start({ models: [tmpdir()] })
    const values = [
      null,
      0,
      -1,
      1e308,
      '',
      '\0',
      '__proto__',
      '../../etc/passwd',
      [],
      {},
      { __proto__: null },
      'x'.repeat(5000),
    ]
    for (const path of about) {
      for (const value of values) {
        const body = {
          file: value,
          model: value,
          content: value,
          name: value,
          table: value,
          range: value,
          TableName: value,
        }
        const { status } = await requester.api(`${path}?${scope}`, body)
        expect(status, `${path} ${JSON.stringify(value)}`).toBeLessThan(500)
      }
    }
  })
})

describe('a read-only workbench', () => {
  test('reads, and refuses to write with a sentence', async () => {
    const requester = await start({ readOnly: true })
    expect(await requester.api(`dynamodb/ListTables?${scope}`)).toMatchObject({ status: 200 })
    for (const [operation, input] of [
      ['CreateTable', createTable],
      ['PutItem', {}],
      ['ExecuteStatement', { Statement: "DELETE FROM shop WHERE id = 'a'" }],
      [
        'ExecuteTransaction',
        { TransactStatements: [{ Statement: 'SELECT 1' }, { Statement: 'INSERT INTO shop VALUE {}' }] },
      ],
      ['BatchExecuteStatement', {}],
    ] as const) {
      expect(await requester.api(`dynamodb/${operation}?${scope}`, input)).toMatchObject({
        status: 403,
        json: { __type: 'ReadOnly', message: expect.stringContaining(`${operation} changes data`) },
      })
    }
    expect(
      await requester.api(`dynamodb/ExecuteStatement?${scope}`, { Statement: ' select * from shop' }),
    ).toMatchObject({ status: 400, json: { message: expect.stringContaining('not found') } })
    expect(await requester.api('info')).toMatchObject({ json: { readOnly: true } })
  })
})
