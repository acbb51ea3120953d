import {
  Engine,
  openLmdbStore,
  operationsByTarget,
  toPlain,
  type Clock,
  type Scope,
  type ServiceHost,
} from '@hashrange/engine'
import { accessService, accessWire, type IamContext } from '@hashrange/access'
import { applyDeclaration, firstAdministrator, Gate, readDeclaration } from '@hashrange/access/closed'
import { kinesisService, webhookReports, type ShardReader } from '@hashrange/kinesis'
import { lambdaService, lambdaWire, type Lambda } from '@hashrange/lambda'
import { monitoringService, monitoringWire } from '@hashrange/monitoring'
import { pipesService } from '@hashrange/pipes'
import { serve, sharedAccountId } from '@hashrange/server'
import { createWorkbench, type WorkbenchOptions } from 'hashrange/workbench'
import { MemoryBuckets } from '../../../packages/engine/src/transfers/testing/memory-buckets.ts'
import { buildPage } from './built-page.ts'

/** hashrange with its workbench, in this process and in memory. */
export interface WorkbenchServer {
  readonly engine: Engine
  readonly lambda: Lambda
  /** Such as `http://127.0.0.1:43210`. */
  readonly origin: string
  readonly port: number
  /** Of a closed server. */
  readonly gate?: Gate | undefined
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
  /** Closes the server to all but these, as `--identities` declares them. Their account is that of `testScope`. */
  readonly identities?: object
  /** The machine's unless told. */
  readonly clock?: Clock
}

export async function startWorkbench({
  port = 0,
  dataFolder,
  identities,
  clock,
  ...options
}: ServerSetup = {}): Promise<WorkbenchServer> {
  const pageFolder = await buildPage()
  const host = options.host ?? '127.0.0.1'
  const store = await openLmdbStore(dataFolder === undefined ? { memory: true } : { path: dataFolder })
  let iam: IamContext | undefined
  const access = accessService({ secretKey: () => Buffer.alloc(32, 7), onOpen: (context) => (iam = context) })
  let lambda: Lambda | undefined
  let serviceHost: ServiceHost | undefined
  let shards: ShardReader | undefined
  const readShards = (): ShardReader => {
    if (shards === undefined) throw new Error('Kinesis is opened before those who read it')
    return shards
  }
  const services = [
    monitoringService(),
    access,
    kinesisService({
      onOpen: (opened, reader) => {
        serviceHost = opened
        shards = reader
      },
    }),
    pipesService({ kinesis: readShards, onError: () => undefined }),
    lambdaService({
      kinesis: readShards,
      onOpen: (opened) => (lambda = opened),
    }),
  ]
  const buckets = new MemoryBuckets()
  buckets.make('exports')
  const engine = await Engine.open({ store, services, buckets, ...(clock && { clock }) })
  if (lambda === undefined || serviceHost === undefined) throw new Error('the engine has not opened its services')
  const reported = serviceHost
  const consumers = { lambda, webhookReports: () => webhookReports(reported) }
  const gate = identities === undefined || iam === undefined ? undefined : await close(engine, iam, identities)
  const workbench = createWorkbench(engine, {
    token: testToken,
    shared: true,
    pageFolder,
    consumers,
    ...options,
    // The checker is tested with the library: here it need only find what it finds. On a machine with much else to do it takes
    // longer than people would wait.
    modelLimits: { checkItems: 200, loadMs: 170_000, answerMs: 170_000, ...options.modelLimits },
    host,
    gate,
  })
  const server = await serve(gate?.guard(engine) ?? engine, {
    authenticate: gate && ((request, service) => gate.authenticate(request, service)),
    host: '127.0.0.1',
    port,
    shared: true,
    services: [...monitoringWire, ...accessWire, ...lambdaWire],
    routes: [workbench],
  })
  return {
    engine,
    lambda,
    gate,
    origin: `http://127.0.0.1:${server.port}`,
    port: server.port,
    execute: async (operation, input, scope = testScope) => {
      const target = streamOperations.has(operation) ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810'
      return toPlain(await engine.execute(scope, target, operation, input)) as Record<string, unknown>
    },
    close: async () => {
      await server.close()
      await engine.close()
    },
  }
}

/** The identities of a closed server, whose administrator has a key of its own. */
async function close(engine: Engine, iam: IamContext, identities: object): Promise<Gate> {
  const { accountId } = await firstAdministrator(iam, { accountId: sharedAccountId })
  await applyDeclaration(iam, readDeclaration(identities), accountId)
  return Gate.open(iam, { definitionOf: (scope, name) => engine.catalog.find(scope, name)?.definition })
}

const streamOperations: ReadonlySet<string> = new Set(operationsByTarget.DynamoDBStreams_20120810)
