import { expect, test } from 'vitest'
import type { HttpResponse } from './http/http-request.ts'
import { readyRoute } from './ready-route.ts'

async function ask(target: string, reason?: string, method = 'GET'): Promise<HttpResponse | undefined> {
  return readyRoute(() => Promise.resolve(reason))({ method, target, body: Buffer.alloc(0) })
}

test('a server that can serve says so', async () => {
  expect(await ask('/ready')).toMatchObject({ status: 200, body: Buffer.from('ready\n') })
  expect(await ask('/ready?from=balancer', undefined, 'HEAD')).toMatchObject({ status: 200 })
})

test('one that cannot says why, with a status that balancers understand', async () => {
  const reason = 'The database cannot be reached.'
  expect(await ask('/ready', reason)).toMatchObject({ status: 503, body: Buffer.from(`${reason}\n`) })
})

test('one whose store keeps it waiting does not keep the balancer waiting', async () => {
  const never = new Promise<undefined>(() => undefined)
  const response = await readyRoute(() => never, 5)({ method: 'GET', target: '/ready', body: Buffer.alloc(0) })
  expect(response).toMatchObject({ status: 503, body: Buffer.from('The store did not answer within 5 ms.\n') })
})

test('other requests are for others', async () => {
  expect(await ask('/')).toBeUndefined()
  expect(await ask('/readyish')).toBeUndefined()
  expect(await ask('/ready', undefined, 'POST')).toBeUndefined()
})
