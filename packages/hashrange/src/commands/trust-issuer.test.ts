import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { testCertificate } from '@hashrange/server/test-certificate'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { trustIssuer } from './trust-issuer.ts'

const { createSecureContext } = tls
const issuer = testCertificate('Test CA')
const stranger = testCertificate('Another CA')
const folder = mkdtempSync(join(tmpdir(), 'hashrange-issuers-'))
const file = join(folder, 'ca.pem')
let server: Server

beforeEach(async () => {
  server = createServer(testCertificate('db.example.com', { issuer }), (_, response) => response.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterEach(() => {
  tls.createSecureContext = createSecureContext
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const asked = (): Promise<number | string | undefined> =>
  new Promise((resolve) => {
    const { port } = server.address() as AddressInfo
    get({ host: '127.0.0.1', port, agent: false }, ({ statusCode }) => resolve(statusCode)).on(
      'error',
      (error: NodeJS.ErrnoException) => resolve(error.code),
    )
  })

test('issuers that are added to the file are accepted without a restart, and a file that is gone changes nothing', async () => {
  writeFileSync(file, stranger.cert)
  trustIssuer(file)
  expect(await asked()).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
  writeFileSync(file, `${stranger.cert}\n${issuer.cert}`)
  expect(await asked()).toBe(200)
  writeFileSync(file, 'nothing')
  expect(await asked()).toBe(200)
  rmSync(file)
  expect(await asked()).toBe(200)
})
