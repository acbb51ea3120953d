import { ServiceError } from '@hashrange/core'
import { toJsonBytes, type Engine } from '@hashrange/engine'
import { openTestEngine, type TestEngine } from '@hashrange/engine/test-engine'
import type { HttpRequest } from '@hashrange/server'
import { accessService } from '../access-service.ts'
import { firstAdministrator, type AccessKeyPair } from '../declared/first-administrator.ts'
import { Gate } from '../gate/gate.ts'
import type { IamContext } from '../iam/iam-context.ts'
import { signedRequest, type SigningOptions } from './signed-request.ts'

export const testSecretKey = Buffer.alloc(32, 7)

/** An answer of any operation, as tests look into it. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Answered = any

/** Credentials as a client has them. */
export interface TestKey extends AccessKeyPair {
  readonly sessionToken?: string | undefined
}

export interface ClosedEngine {
  readonly db: TestEngine
  readonly iam: IamContext
  readonly gate: Gate
  readonly root: TestKey
  /** Asks for an operation of a service with a key, through the gate. */
  readonly ask: (key: TestKey, service: Service, operation: string, input?: object) => Promise<Answered>
  /** The same, of something that is refused. */
  readonly refusal: (key: TestKey, service: Service, operation: string, input?: object) => Promise<ServiceError>
}

const targets = {
  dynamodb: 'DynamoDB_20120810',
  iam: 'AWSIdentityManagementV20100508',
  sts: 'AWSSecurityTokenServiceV20110615',
} as const

export type Service = keyof typeof targets

/** An engine that verifies who asks. */
export async function openClosedEngine(): Promise<ClosedEngine> {
  let iam: IamContext | undefined
  const service = accessService({ secretKey: () => testSecretKey, onOpen: (context) => (iam = context) })
  const db = await openTestEngine(undefined, { services: [service] })
  if (iam === undefined) throw new Error('the service was not opened')
  const { made: root } = await firstAdministrator(iam)
  if (root === undefined) throw new Error('an empty store has no administrator')
  const gate = await gateOf(db.engine, iam)
  const ask = askThrough(gate, db.engine)
  return { db, iam, gate, root, ask, refusal: (...asked) => refusalOf(ask(...asked)) }
}

export function gateOf(engine: Engine, iam: IamContext): Promise<Gate> {
  return Gate.open(iam, { definitionOf: (scope, name) => engine.catalog.find(scope, name)?.definition })
}

export function askThrough(gate: Gate, engine: Engine): ClosedEngine['ask'] {
  const executor = gate.guard(engine)
  return async (key, service, operation, input = {}) => {
    const request = requestOf(key, service, JSON.stringify(input), gate.identities.clock.now())
    const scope = await gate.authenticate(request, service)
    const answer = await executor.execute(scope, targets[service], operation, input)
    return answer === undefined ? undefined : JSON.parse(toJsonBytes(answer).toString('utf8'))
  }
}

export function requestOf(
  { accessKeyId, secretAccessKey, sessionToken }: TestKey,
  service: string,
  body: string,
  atMs: number,
  more: Partial<SigningOptions> = {},
): HttpRequest {
  return signedRequest({
    accessKeyId,
    secret: secretAccessKey,
    ...(sessionToken !== undefined && { securityToken: sessionToken }),
    atMs,
    service,
    body,
    ...more,
  })
}

export async function refusalOf(asked: Promise<unknown>): Promise<ServiceError> {
  try {
    await asked
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('the request was not refused')
}
