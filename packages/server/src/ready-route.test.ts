import { expect, test } from 'vitest'
import type { Readiness } from '@hashrange/engine'
import type { HttpResponse } from './http/http-request.ts'
import { readyRoute } from './ready-route.ts'

async function ask(
  target: string,
  readiness: Readiness = { serves: 'all' },
  method = 'GET',
): Promise<HttpResponse | undefined> {
  return readyRoute(() => Promise.resolve(readiness))({ method, target, body: Buffer.alloc(0) })
}

test('a server that can serve says so', async () => {
  expect(await ask('/ready')).toMatchObject({ status: 200, body: Buffer.from('ready\n') })
  expect(await ask('/ready?from=balancer', undefined, 'HEAD')).toMatchObject({ status: 200 })
})

test('one that cannot says why, with a status that balancers understand', async () => {
  const sentence = 'The database cannot be reached.'
  const none = await ask('/ready', { serves: 'none', sentence })
  expect(none).toMatchObject({ status: 503, body: Buffer.from(`${sentence}\n`) })
})

test('one that can serve some of them stays in use, and says what is missing', async () => {
  const sentence = 'A node cannot be reached.'
  const some = await ask('/ready', { serves: 'some', sentence })
  expect(some).toMatchObject({ status: 200, body: Buffer.from(`degraded: ${sentence}\n`) })
})

test('one whose store keeps it waiting does not keep the balancer waiting', async () => {
  const never = new Promise<Readiness>(() => undefined)
  const response = await readyRoute(() => never, 5)({ method: 'GET', target: '/ready', body: Buffer.alloc(0) })
  expect(response).toMatchObject({ status: 503, body: Buffer.from('The store did not answer within 5 ms.\n') })
})

test('other requests are for others', async () => {
  expect(await ask('/')).toBeUndefined()
  expect(await ask('/readyish')).toBeUndefined()
  expect(await ask('/ready', undefined, 'POST')).toBeUndefined()
})
