import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Engine, openLmdbStore } from '@hashrange/engine'
import { serve } from '@hashrange/server'
import { afterEach } from 'vitest'
import { newWorkbenchToken } from '../../workbench-token.ts'
import { createWorkbench, type WorkbenchOptions } from '../create-workbench.ts'
import { RawRequester } from './raw-requester.ts'

export const scope = 'account=123456789012&region=us-east-1'
export const token = newWorkbenchToken()

/** Starts workbenches on a database in memory. They are closed after each test. */
export function useServedWorkbench(): (options?: Partial<WorkbenchOptions>) => Promise<RawRequester> {
  const closing: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close()
  })

  async function start(options: Partial<WorkbenchOptions> = {}): Promise<RawRequester> {
    const engine = await Engine.open({ store: await openLmdbStore({ memory: true }) })
    closing.push(() => engine.close())
    const folder = options.pageFolder ?? (await makePage())
    const workbench = createWorkbench(engine, {
      token,
      host: '127.0.0.1',
      shared: true,
      ...options,
      pageFolder: folder,
    })
    const server = await serve(engine, { host: '127.0.0.1', port: 0, shared: true, routes: [workbench] })
    closing.push(() => server.close())
    return new RawRequester(server.port, token)
  }

  /** A page as a build leaves it. */
  async function makePage(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'hashrange-page-'))
    closing.push(() => rm(folder, { recursive: true }))
    const page = join(folder, 'page')
    await mkdir(join(page, 'assets'), { recursive: true })
    await writeFile(join(folder, 'secret.js'), 'secret')
    await writeFile(join(page, '.hidden.js'), 'hidden')
    await writeFile(join(page, 'index.html'), '<meta name="csp-nonce" content="__STYLE_NONCE__">')
    await writeFile(join(page, 'theme.js'), 'theme()')
    await writeFile(join(page, 'assets', 'app-1.js'), 'app()')
    await writeFile(join(page, 'assets', 'app-1.js.gz'), gzipSync('app()'))
    await writeFile(join(page, 'assets', 'app-1.js.br'), 'brotli')
    return page
  }

  return start
}

export const createTable = {
  TableName: 'shop',
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
}
