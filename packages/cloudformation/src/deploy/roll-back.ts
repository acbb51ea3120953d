import { kindOf } from '@hashrange/templates'
import type { StackResource } from '../records/stack-record.ts'
import { putResource } from './put-resource.ts'
import { removeResource, removeResources } from './remove-resources.ts'
import type { StackWork } from './stack-work.ts'

/** Deletes what a stack that could not be created has made. */
export async function rollBackCreation(work: StackWork): Promise<void> {
  const { onFailure } = work.operation
  const made = Object.values(work.stack.resources)
  const failed = await removeResources(
    work,
    made,
    ({ deletionPolicy, isThere }) => isThere && deletionPolicy === 'Retain',
  )
  const verb = onFailure === 'DELETE' ? 'DELETE' : 'ROLLBACK'
  if (failed.length > 0)
    return work.finish(`${verb}_FAILED`, `The following resource(s) failed to delete: [${failed.join(', ')}].`)
  const deletedAtMs = onFailure === 'DELETE' ? { deletedAtMs: work.cf.clock.now() } : {}
  return work.finish(`${verb}_COMPLETE`, undefined, deletedAtMs)
}

/** Makes a stack again what it was before its update. */
export async function rollBackUpdate(work: StackWork): Promise<void> {
  const failed: string[] = []
  for (const resource of Object.values(work.stack.resources)) {
    if (resource.operationId !== work.operation.id || resource.status === 'DELETE_COMPLETE') continue
    if (!(await restore(work, resource))) failed.push(resource.logicalId)
  }
  if (failed.length > 0)
    return work.finish(
      'UPDATE_ROLLBACK_FAILED',
      `The following resource(s) failed to update: [${failed.join(', ')}].`,
    )
  const kept = Object.entries(work.stack.resources).filter(([, { status }]) => status !== 'DELETE_COMPLETE')
  await work.enter('UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS')
  return work.finish('UPDATE_ROLLBACK_COMPLETE', undefined, { resources: Object.fromEntries(kept), replaced: [] })
}

async function restore(work: StackWork, resource: StackResource): Promise<boolean> {
  const { before, logicalId } = resource
  if (before === undefined) return removeResource(work, resource, false)
  const { port, scope, cf } = work
  const note = (status: string, reason?: string): Promise<void> =>
    work.saveResource({ ...before, status, reason, changedAtMs: cf.clock.now(), operationId: work.operation.id })
  try {
    if (resource.physicalId !== before.physicalId && resource.isThere) {
      const kind = kindOf(resource.type, resource.properties, scope.region)
      await kind?.remove(port, resource.physicalId, resource.properties)
    } else if (before.isThere) {
      const kind = kindOf(before.type, before.properties, scope.region)
      if (kind !== undefined) await putResource(port, kind, before.physicalId, before.properties)
    }
    await note('UPDATE_COMPLETE')
    return true
  } catch (error) {
    const reason = work.reasonOf(error)
    await work.saveResource({
      ...resource,
      logicalId,
      status: 'UPDATE_FAILED',
      reason,
      changedAtMs: cf.clock.now(),
    })
    return false
  }
}
