import { ServiceError, validationException } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { CloudFormation } from '../cloudformation.ts'
import { stackArn, type StackOperation, type StackRecord } from '../records/stack-record.ts'
import { ofStack, withEvents } from '../stacks/stack-events.ts'
import { work } from './watch-stacks.ts'

/** What is asked of a stack. */
export interface Asked {
  readonly operation: Omit<StackOperation, 'id' | 'phase' | 'isGuarded'>
  readonly status: string
  /** Throws if the stack is in no state for it. */
  readonly decide: (current: StackRecord | undefined) => StackRecord
}

/** Accepts an operation, and begins it. A token that the stack knows is a request that is repeated: it is answered, and
 *  nothing happens. */
export async function startOperation(
  cf: CloudFormation,
  scope: Scope,
  parts: readonly [string, string],
  { operation, status, decide }: Asked,
): Promise<StackRecord> {
  const id = cf.randomness.uuid()
  const isGuarded = 'caller' in scope
  const atMs = cf.clock.now()
  const key = cf.stacks.key(scope, parts)
  const others = await cf.stacks.list(scope, [parts[0]])
  const taken = others.find((one) => one.uid !== parts[1] && one.status !== 'DELETE_COMPLETE')
  if (taken !== undefined) throw new ServiceError('AlreadyExistsException', `Stack [${parts[0]}] already exists`)
  const { stack, isBegun } = await cf.transact([key], ([value]) => {
    const current = cf.stacks.decode(value)
    if (
      current !== undefined &&
      operation.token !== undefined &&
      current.tokens.includes(`${operation.kind} ${operation.token}`)
    )
      return { writes: [], answer: { stack: current, isBegun: false } }
    const decided = decide(current)
    const next: StackRecord = {
      ...decided,
      status,
      statusReason: 'User Initiated',
      operation: { ...operation, id, phase: 'forward', isGuarded },
      tokens:
        operation.token === undefined
          ? decided.tokens
          : [...decided.tokens.slice(-9), `${operation.kind} ${operation.token}`],
    }
    const written = withEvents(cf, scope, next, [ofStack(scope, next)], { id, token: operation.token, atMs })
    const pending = cf.pending.put(scope, parts, { name: parts[0], uid: parts[1] })
    return { writes: [...written.writes, pending], answer: { stack: written.stack, isBegun: true } }
  })
  if (isBegun) {
    if (isGuarded) cf.callers.set(id, scope)
    cf.background.run((stopping) => work(cf, scope, parts, stopping))
  }
  return stack
}

/** What may follow what. */
export function assertIdle(scope: Scope, stack: StackRecord, verb: 'updated' | 'deleted'): void {
  const { status } = stack
  const isStuck = [
    'ROLLBACK_COMPLETE',
    'ROLLBACK_FAILED',
    'CREATE_FAILED',
    'DELETE_FAILED',
    'UPDATE_ROLLBACK_FAILED',
    'REVIEW_IN_PROGRESS',
    'DELETE_COMPLETE',
  ]
  if (stack.operation === undefined && (verb === 'deleted' || !isStuck.includes(status))) return
  throw validationException(`Stack:${stackArn(scope, stack)} is in ${status} state and can not be ${verb}.`)
}
