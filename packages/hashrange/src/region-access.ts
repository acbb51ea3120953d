import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import type { Engine, OperationName, Scope } from '@hashrange/engine'
import { operationsByTarget, toPlain } from '@hashrange/engine'
import type { Logger } from '@hashrange/server'
import { createDispatch } from '@hashrange/server'
import type { ClosedDatabase } from './auth/close-database.ts'
import { clientConfigFor, type ClientConfig } from './client-config.ts'
import { InProcessHandler } from './in-process-handler.ts'
import { loadSdk } from './load-sdk.ts'
import { wireServices } from './open-engine.ts'
import { toWireInput, toWireInputOfRead } from './to-wire-input.ts'

const streamOperations: ReadonlySet<string> = new Set(operationsByTarget.DynamoDBStreams_20120810)
const reads: ReadonlySet<OperationName> = new Set(['GetItem', 'Query', 'Scan', 'BatchGetItem', 'TransactGetItems'])

/** What belongs to an open database as a whole. */
export interface OpenParts {
  readonly engine: Engine
  readonly logger: Logger
  readonly closed: ClosedDatabase | undefined
  assertOpen(): void
}

/** The tables of one region of an open database. */
export class RegionAccess {
  /** For any other client of the AWS SDK v3: `new DynamoDBStreamsClient(db.clientConfig)`. */
  readonly clientConfig: ClientConfig
  readonly #parts: OpenParts
  readonly #scope: Scope
  #madeClient: DynamoDB | undefined

  constructor(parts: OpenParts, scope: Scope) {
    this.#parts = parts
    this.#scope = scope
    const { engine, logger, closed } = parts
    const gate = closed?.gate
    const dispatch = createDispatch(gate?.guard(engine) ?? engine, {
      authenticate: gate === undefined ? () => scope : (request, service) => gate.authenticate(request, service),
      logger,
      services: wireServices,
    })
    const handler = new InProcessHandler((request) => {
      parts.assertOpen()
      return dispatch(request)
    })
    this.clientConfig = clientConfigFor(handler, scope.region, closed?.credentials)
  }

  /** A client of the AWS SDK v3 for this region, whose requests never leave the process. */
  get client(): DynamoDB {
    if (this.#madeClient === undefined) {
      this.#madeClient = new (loadSdk().DynamoDB)(this.clientConfig)
      // It copies every request and response for a log that nobody reads.
      this.#madeClient.middlewareStack.remove('loggerMiddleware')
    }
    return this.#madeClient
  }

  /** Carries out one operation in this region. See `Database.execute`. */
  execute(operation: OperationName, input: object = {}): Promise<Record<string, unknown>> {
    try {
      this.#parts.assertOpen()
      const target = streamOperations.has(operation) ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810'
      const body = reads.has(operation) ? toWireInputOfRead(input) : toWireInput(input)
      const answer = this.#parts.engine.execute(this.#scope, target, operation, body)
      return answer instanceof Promise ? answer.then(plainAnswer) : Promise.resolve(plainAnswer(answer))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** Called when the database is closed. */
  destroy(): void {
    this.#madeClient?.destroy()
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
