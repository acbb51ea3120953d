import { describe, expect, test } from 'vitest'
import { newWorkbenchToken } from '../workbench-token.ts'
import { apiHandlers } from './api-handlers.ts'
import { createTable, scope, token, useServedWorkbench } from './testing/use-served-workbench.ts'

const start = useServedWorkbench()

describe('a foreign page cannot drive the API', () => {
  const own = { 'Content-Type': 'application/json', 'x-hashrange-workbench': token }
  const foreign: Record<string, readonly [Record<string, string>, number]> = {
    'with an origin of its own': [{ ...own, Origin: 'http://evil.example' }, 403],
    'with no origin at all, as sandboxed frames have': [{ ...own, Origin: 'null' }, 403],
    'of another port of this machine': [{ ...own, Origin: 'http://127.0.0.1:1' }, 403],
    'of another site, as the browser says': [{ ...own, 'Sec-Fetch-Site': 'cross-site' }, 403],
    'of another host of the site': [{ ...own, 'Sec-Fetch-Site': 'same-site' }, 403],
    'that has rebound its name to this machine': [{ ...own, Host: 'evil.example' }, 403],
    'that has rebound its name, port and all': [
      { ...own, Host: 'evil.example:8000', Origin: 'http://evil.example:8000' },
      403,
    ],
    'under a name that begins like ours': [{ ...own, Host: 'localhost.evil.example' }, 403],
    'under an address of another machine': [{ ...own, Host: '192.168.0.7:8000' }, 403],
    'without the secret': [{ 'Content-Type': 'application/json' }, 401],
    'with the content type of a form': [{ ...own, 'Content-Type': 'text/plain' }, 415],
    'without a content type': [{ 'x-hashrange-workbench': token }, 415],
  }
  for (const [name, [headers, status]] of Object.entries(foreign)) {
    test(name, async () => {
      const requester = await start()
      const answer = await requester.send(
        'POST',
        `/_workbench/api/dynamodb/CreateTable?${scope}`,
        headers,
        JSON.stringify(createTable),
      )
      expect(answer.status).toBe(status)
      expect(answer.headers.get('access-control-allow-origin')).toBeUndefined()
      expect(await requester.api(`dynamodb/ListTables?${scope}`)).toMatchObject({ json: { TableNames: [] } })
    })
  }

  test('by asking for permission first', async () => {
    const requester = await start()
    const answer = await requester.send('OPTIONS', `/_workbench/api/dynamodb/CreateTable?${scope}`, {
      Origin: 'http://evil.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,x-hashrange-workbench',
    })
    expect(answer.status).toBe(403)
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('with GET', async () => {
    const requester = await start()
    expect(await requester.get(`/_workbench/api/info`, own)).toMatchObject({ status: 405 })
  })

  for (const host of [
    'localhost',
    'LOCALHOST:8000',
    '127.0.0.1',
    '127.8.8.8:80',
    '[::1]:8000',
    'shop.localhost:8000',
  ]) {
    test(`and the own page can, as ${host}`, async () => {
      const requester = await start()
      const headers = { ...own, Host: host, Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' }
      expect(await requester.send('POST', '/_workbench/api/info', headers, '{}')).toMatchObject({ status: 200 })
    })
  }

  test('where other machines are served: addresses and own names are answered, other names are not', async () => {
    const requester = await start({ host: 'db.internal' })
    const ask = async (host: string): Promise<number> =>
      (await requester.send('POST', '/_workbench/api/info', { ...own, Host: host }, '{}')).status
    expect(await ask('192.168.0.7:8000')).toBe(200)
    expect(await ask('db.internal:8000')).toBe(200)
    expect(await ask('evil.example')).toBe(403)
  })
})

describe('the secret of this start', () => {
  const own = { 'Content-Type': 'application/json' }

  test('is needed for everything that can be asked', async () => {
    const requester = await start()
    for (const name of apiHandlers.keys()) {
      for (const sent of [undefined, '', '1', 'null', token.slice(1), `${token},${token}`, newWorkbenchToken()]) {
        const headers = { ...own, ...(sent !== undefined && { 'x-hashrange-workbench': sent }) }
        const answer = await requester.send('POST', `/_workbench/api/${name}`, headers, '{}')
        expect(answer).toMatchObject({ status: 401, json: { __type: 'Locked' } })
        expect(answer.headers.get('www-authenticate')).toBe('HashrangeWorkbench')
        expect(answer.body.toString()).not.toContain(token)
      }
    }
  })

  test('is taken from the header alone: an address could be put into a link, and a cookie is sent unasked', async () => {
    const requester = await start()
    const elsewhere = [
      [`/_workbench/api/info?token=${token}`, own],
      ['/_workbench/api/info', { ...own, Cookie: `token=${token}; x-hashrange-workbench=${token}` }],
      ['/_workbench/api/info', { ...own, Authorization: `token ${token}` }],
    ] as const
    for (const [path, headers] of elsewhere) {
      expect(await requester.send('POST', path, headers, '{}')).toMatchObject({ status: 401 })
    }
  })

  test('is not in the page, which is the same for everybody', async () => {
    const requester = await start()
    for (const path of ['/_workbench/', `/_workbench/?token=${token}`, '/_workbench/assets/app-1.js', '/']) {
      const answer = await requester.get(path, { Accept: 'text/html' })
      expect(answer.body.toString()).not.toContain(token)
      expect(answer.headers.get('set-cookie')).toBeUndefined()
    }
  })

  test('cannot be one that is guessed', async () => {
    await expect(start({ token: 'secret' })).rejects.toThrow('at least 16')
    await expect(start({ token: undefined as unknown as string })).rejects.toThrow('at least 16')
  })
})
