import { ServiceError } from '@hashrange/core'
import { StorageError, toPlain, type Lease, type Scope } from '@hashrange/engine'
import { bucketTarget } from '../assets/operations.ts'
import type { CloudFormation } from '../cloudformation.ts'
import type { StackOperation, StackRecord, StackResource } from '../records/stack-record.ts'
import { TemplateError, type ResourcePort } from '@hashrange/templates'
import { ofStack, withEvents, type Happening } from '../stacks/stack-events.ts'

/** The operation is over, or another one: this server has nothing to do with it any more. */
class NotOurs extends Error {}

/** One operation of a stack as one server carries it out. Every step is written before it is taken, so that another server
 *  can go on from there. */
export class StackWork {
  readonly cf: CloudFormation
  readonly scope: Scope
  readonly port: ResourcePort
  stack: StackRecord
  operation: StackOperation
  readonly #lease: Lease

  constructor(cf: CloudFormation, scope: Scope, stack: StackRecord, operation: StackOperation, lease: Lease) {
    this.cf = cf
    this.scope = scope
    this.stack = stack
    this.operation = operation
    this.#lease = lease
    this.port = {
      call: (target, name, input, region = scope.region) => this.#call(target, name, input, region),
    }
  }

  /** Changes the stack, and its operation with it; without an operation, it is over. */
  async save(change: Partial<StackRecord>, happenings: readonly Happening[] = []): Promise<void> {
    const { cf, scope } = this
    const { id, token } = this.operation
    const atMs = cf.clock.now()
    const parts = [this.stack.name, this.stack.uid]
    const saved = await this.#lease.transact([cf.stacks.key(scope, parts)], ([value]) => {
      const current = cf.stacks.decode(value)
      if (current?.operation?.id !== id) return { writes: [], answer: undefined }
      const next = { ...current, ...change } as StackRecord
      const { stack, writes } = withEvents(cf, scope, next, happenings, { id, token, atMs })
      const isOver = stack.operation === undefined
      return { writes: [...writes, ...(isOver ? [cf.pending.delete(scope, parts)] : [])], answer: stack }
    })
    if (saved === undefined) throw new NotOurs(`Stack ${this.stack.name} is being changed by another operation.`)
    this.stack = saved
    if (saved.operation !== undefined) this.operation = saved.operation
  }

  /** Changes the state of the stack itself. */
  async enter(status: string, reason?: string, more: Partial<StackRecord> = {}): Promise<void> {
    const changed = { ...more, status, statusReason: reason }
    await this.save(changed, [ofStack(this.scope, { ...this.stack, ...changed })])
  }

  async enterPhase(phase: StackOperation['phase'], status: string, reason?: string): Promise<void> {
    await this.enter(status, reason, { operation: { ...this.operation, phase } })
  }

  async finish(status: string, reason?: string, more: Partial<StackRecord> = {}): Promise<void> {
    await this.enter(status, reason, { ...more, operation: undefined, lastOperationId: this.operation.id })
    this.cf.callers.delete(this.operation.id)
  }

  async saveResource(resource: StackResource, more: Partial<StackRecord> = {}): Promise<void> {
    const resources = { ...this.stack.resources, [resource.logicalId]: resource }
    await this.save({ ...more, resources }, [happeningOf(resource)])
  }

  /** Why a step has failed. What is the server's own trouble is thrown, and tried again later. */
  reasonOf(error: unknown): string {
    if (error instanceof StorageError || error instanceof NotOurs || this.#lease.aborted) throw error
    if (!(error instanceof ServiceError) && !(error instanceof TemplateError)) this.cf.options.onError?.(error)
    const message = error instanceof Error ? error.message : String(error)
    return (message === '' && error instanceof ServiceError ? error.code : message).slice(0, 2_000)
  }

  async #call(
    target: string,
    name: string,
    input: object,
    region: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    if (this.#lease.aborted) throw new NotOurs('The server is closing.')
    this.#assertAllowed(target, name, input, region)
    const { accountId } = this.scope
    const answer = await this.cf.execute({ accountId, region }, target, name, input)
    return (toPlain(answer) ?? {}) as Readonly<Record<string, unknown>>
  }

  /** What a stack does, whoever asked for it must be allowed to do. To undo it, nobody need be asked. */
  #assertAllowed(target: string, name: string, input: object, region: string): void {
    const { isGuarded, id, phase } = this.operation
    if (!isGuarded || phase === 'rollback') return
    // What an asset holds is not for everybody who may deploy.
    if (/^(Describe|Get|List)/.test(name) && target !== bucketTarget) return
    const caller = this.cf.callers.get(id)
    const guard = this.cf.options.guard?.()
    if (caller === undefined || guard === undefined)
      throw new ServiceError(
        'AccessDeniedException',
        'The operation was interrupted, and cannot continue without the credentials of its caller. Start it again.',
      )
    guard({ ...caller, region }, target, name, input)
  }
}

export function happeningOf(resource: StackResource): Happening {
  const { logicalId, physicalId, type, status, reason, properties } = resource
  return { logicalId, physicalId, type, status, reason, properties: JSON.stringify(properties).slice(0, 60_000) }
}
