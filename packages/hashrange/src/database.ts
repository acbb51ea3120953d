import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import type { Engine, OperationName, Scope } from '@hashrange/engine'
import { operationsByTarget, toPlain } from '@hashrange/engine'
import type { Logger } from '@hashrange/server'
import { createDispatch, serve } from '@hashrange/server'
import type { ApplyOptions } from './apply/apply-files.ts'
import type { ClosedDatabase } from './auth/close-database.ts'
import { readListenOptions, type ListenOptions } from './listen-options.ts'
import type { ClientConfig } from './client-config.ts'
import { clientConfigFor } from './client-config.ts'
import { InProcessHandler } from './in-process-handler.ts'
import { wireServices } from './open-engine.ts'
import { loadSdk } from './load-sdk.ts'
import { assertNotOpenToOthers } from './open-to-others.ts'
import { ownRoutes } from './own-routes.ts'
import { settingAdvice } from './setting-advice.ts'
import { toWireInput, toWireInputOfRead } from './to-wire-input.ts'

export interface ListeningServer {
  /** Such as `http://127.0.0.1:8000`, for the `endpoint` of any client. */
  readonly endpoint: string
  readonly port: number
  close(): Promise<void>
}

const streamOperations: ReadonlySet<string> = new Set(operationsByTarget.DynamoDBStreams_20120810)
const reads: ReadonlySet<OperationName> = new Set(['GetItem', 'Query', 'Scan', 'BatchGetItem', 'TransactGetItems'])

/** An open database. All access paths see the same tables: `client`, `execute`, and servers created by `listen`. */
export class Database {
  /** For any other client of the AWS SDK v3: `new DynamoDBStreamsClient(db.clientConfig)`. */
  readonly clientConfig: ClientConfig
  readonly #engine: Engine
  readonly #scope: Scope
  readonly #logger: Logger
  readonly #closed: ClosedDatabase | undefined
  readonly #servers = new Set<ListeningServer>()
  #madeClient: DynamoDB | undefined
  #closing: Promise<void> | undefined

  constructor(engine: Engine, scope: Scope, logger: Logger, closed?: ClosedDatabase) {
    this.#engine = engine
    this.#scope = scope
    this.#logger = logger
    this.#closed = closed
    const gate = closed?.gate
    const dispatch = createDispatch(gate?.guard(engine) ?? engine, {
      authenticate: gate === undefined ? () => scope : (request, service) => gate.authenticate(request, service),
      logger,
      services: wireServices,
    })
    const handler = new InProcessHandler((request) => {
      this.#assertOpen()
      return dispatch(request)
    })
    this.clientConfig = clientConfigFor(handler, scope.region, closed?.credentials)
  }

  /** Carries a client's requests into this process; part of `clientConfig`. */
  get requestHandler(): InProcessHandler {
    return this.clientConfig.requestHandler
  }

  /** A client of the AWS SDK v3 whose requests never leave the process. It takes commands like a `DynamoDBClient`,
   *  has a method for each operation, and can be passed to any library that needs a client. Needs
   *  `@aws-sdk/client-dynamodb`, which is loaded on first use. */
  get client(): DynamoDB {
    this.#madeClient ??= new (loadSdk().DynamoDB)(this.clientConfig)
    return this.#madeClient
  }

  /** Carries out one operation without HTTP and without the SDK, for whoever has the database: nobody is asked who they are. Input and answer have the form of DynamoDB's JSON: binary
   *  values are base64 strings (a Uint8Array is accepted too), times are seconds since 1970.
   *  Throws a ServiceError where the service would refuse. */
  execute(operation: OperationName, input: object = {}): Promise<Record<string, unknown>> {
    try {
      this.#assertOpen()
      const target = streamOperations.has(operation) ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810'
      const body = reads.has(operation) ? toWireInputOfRead(input) : toWireInput(input)
      const answer = this.#engine.execute(this.#scope, target, operation, body)
      return answer instanceof Promise ? answer.then(plainAnswer) : Promise.resolve(plainAnswer(answer))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** Creates and updates tables as files declare them: CloudFormation and SAM templates, the folder of `cdk synth`, serverless.yml, or a
   *  plan or state of Terraform as JSON. A table that would have to be replaced is refused. */
  async apply(files: string | readonly string[], options: ApplyOptions = {}): Promise<void> {
    const { applyFiles } = await import('./apply/apply-files.ts')
    const port = { request: (operation: string, input: object) => this.execute(operation as OperationName, input) }
    await applyFiles(port, typeof files === 'string' ? [files] : files, { ...options, ...this.#scope })
  }

  /** Serves these tables over HTTP as well, to whatever credentials and region; by default on a port that is free, for this machine.
   *  `listen(8000)` and `listen(8000, '::1')` are short for `listen({ port: 8000, host: '::1' })`. Other machines are let in
   *  if the database is closed (`open({ auth: true })`), or with `insecure: true`. */
  async listen(options: ListenOptions | number = {}, onHost?: string): Promise<ListeningServer> {
    this.#assertOpen()
    const { port = 0, host = '127.0.0.1', insecure, cors, allowedHosts, tls } = readListenOptions(options, onHost)
    const gate = this.#closed?.gate
    await assertNotOpenToOthers({ host, isClosed: gate !== undefined, insecure }, 'program')
    const routes = ownRoutes(this.#engine, this.#engine.store, { gate })
    const scope = this.#scope
    const logger = this.#logger
    const server = await serve(gate?.guard(this.#engine) ?? this.#engine, {
      authenticate: gate && ((request, service) => gate.authenticate(request, service)),
      host,
      port,
      tls,
      scope,
      logger,
      services: wireServices,
      routes,
      cors,
      allowedHosts,
      accessAdvice: settingAdvice('program'),
    })
    const listening: ListeningServer = {
      endpoint: `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${server.port}`,
      port: server.port,
      close: () => {
        this.#servers.delete(listening)
        return server.close()
      },
    }
    this.#servers.add(listening)
    return listening
  }

  /** Finishes what is in progress; afterwards nothing can be requested any more. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #closeAll(): Promise<void> {
    await Promise.all([...this.#servers].map((server) => server.close()))
    this.#madeClient?.destroy()
    await this.#closed?.close()
    await this.#engine.close()
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new Error('The database is closed. Open it again with open().')
  }
}

/** Some operations, such as TagResource, return nothing. */
function plainAnswer(answer: unknown): Record<string, unknown> {
  const plain = toPlain(answer)
  return isRecord(plain) ? plain : {}
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
