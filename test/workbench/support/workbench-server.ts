import { rm } from 'node:fs/promises'
import { Engine, openLmdbStore, operationsByTarget, toPlain, type Scope } from '@hashrange/engine'
import { monitoringService } from '@hashrange/monitoring'
import { serve, sharedAccountId } from '@hashrange/server'
import { createWorkbench, type WorkbenchOptions } from 'hashrange/workbench'
import { buildPage } from './built-page.ts'

/** hashrange with its workbench, in this process and in memory. */
export interface WorkbenchServer {
  readonly engine: Engine
  /** Such as `http://127.0.0.1:43210`. */
  readonly origin: string
  readonly port: number
  /** One operation, in the scope that the page shows. */
  readonly execute: (operation: string, input: object, scope?: Scope) => Promise<Record<string, unknown>>
  close(): Promise<void>
}

/** The secret in the address of every test's workbench. */
export const testToken = 'a-secret-for-the-tests'

export const testScope: Scope = { accountId: sharedAccountId, region: 'us-east-1' }

export interface ServerSetup extends Partial<WorkbenchOptions> {
  /** The port to listen on; one that is free unless told. */
  readonly port?: number
  /** The folder that holds the data; in memory unless told. */
  readonly dataFolder?: string
}

export async function startWorkbench({
  port = 0,
  dataFolder,
  ...options
}: ServerSetup = {}): Promise<WorkbenchServer> {
  const pageFolder = await buildPage()
  const host = options.host ?? '127.0.0.1'
  const store = await openLmdbStore(dataFolder === undefined ? { memory: true } : { path: dataFolder })
  const engine = await Engine.open({ store, services: [monitoringService()] })
  const workbench = createWorkbench(engine, { token: testToken, shared: true, pageFolder, ...options, host })
  const server = await serve(engine, { host: '127.0.0.1', port, shared: true, routes: [workbench] })
  return {
    engine,
    origin: `http://127.0.0.1:${server.port}`,
    port: server.port,
    execute: async (operation, input, scope = testScope) => {
      const target = streamOperations.has(operation) ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810'
      return toPlain(await engine.execute(scope, target, operation, input)) as Record<string, unknown>
    },
    close: async () => {
      await server.close()
      await engine.close()
      await rm(pageFolder, { recursive: true, force: true })
    },
  }
}

const streamOperations: ReadonlySet<string> = new Set(operationsByTarget.DynamoDBStreams_20120810)
