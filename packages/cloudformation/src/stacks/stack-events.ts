import type { Scope, Write } from '@hashrange/engine'
import type { CloudFormation } from '../cloudformation.ts'
import { stackArn, type EventRecord, type StackRecord } from '../records/stack-record.ts'

/** What an event says, besides the stack that it is about. */
export interface Happening {
  readonly logicalId: string
  readonly physicalId: string
  readonly type: string
  readonly status: string
  readonly reason?: string | undefined
  readonly properties?: string | undefined
}

/** What happens to a stack itself. */
export function ofStack(scope: Scope, stack: StackRecord): Happening {
  return {
    logicalId: stack.name,
    physicalId: stackArn(scope, stack),
    type: 'AWS::CloudFormation::Stack',
    status: stack.status,
    reason: stack.statusReason,
  }
}

/** A stack with events, and what stores both. */
export function withEvents(
  { stacks, stackEvents }: CloudFormation,
  scope: Scope,
  stack: StackRecord,
  happenings: readonly Happening[],
  operation: { readonly id: string; readonly token?: string | undefined; readonly atMs: number },
): { readonly stack: StackRecord; readonly writes: readonly Write[] } {
  const { uid: stackUid } = stack
  const { atMs } = operation
  const events = happenings.map((happening, index): EventRecord => {
    const order = String(stack.events + index).padStart(10, '0')
    const id = `${happening.logicalId}-${happening.status}-${order}`
    return { ...happening, stackUid, order, id, operationId: operation.id, token: operation.token, atMs }
  })
  const counted = { ...stack, events: stack.events + events.length }
  return {
    stack: counted,
    writes: [
      stacks.put(scope, [stack.name, stack.uid], counted),
      ...events.map((event) => stackEvents.put(scope, [stackUid, event.order], event)),
    ],
  }
}
