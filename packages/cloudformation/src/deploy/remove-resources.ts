import { kindOf } from '@hashrange/templates'
import type { StackResource } from '../records/stack-record.ts'
import { happeningOf, type StackWork } from './stack-work.ts'

/** Deletes resources, each before what it depends on. Returns those that could not be deleted. */
export async function removeResources(
  work: StackWork,
  resources: readonly StackResource[],
  isRetained: (resource: StackResource) => boolean,
): Promise<readonly string[]> {
  const failed: string[] = []
  for (const resource of inReverse(resources)) {
    if (resource.status === 'DELETE_COMPLETE' || resource.status === 'DELETE_SKIPPED') continue
    if (!(await removeResource(work, resource, isRetained(resource)))) failed.push(resource.logicalId)
  }
  return failed
}

/** Whether it is gone, or was to stay. */
export async function removeResource(
  work: StackWork,
  resource: StackResource,
  isRetained: boolean,
): Promise<boolean> {
  const { port, scope, cf } = work
  const note = async (status: string, reason?: string): Promise<void> => {
    const changed = { ...resource, status, reason, changedAtMs: cf.clock.now(), operationId: work.operation.id }
    const current = work.stack.resources[resource.logicalId]
    // One that was replaced has no place of its own in the stack any more.
    if (current?.physicalId === resource.physicalId) await work.saveResource({ ...changed, before: current.before })
    else await work.save({}, [happeningOf(changed)])
  }
  if (isRetained) {
    await note('DELETE_SKIPPED')
    return true
  }
  await note('DELETE_IN_PROGRESS')
  try {
    const kind = kindOf(resource.type, resource.properties, scope.region)
    if (resource.isThere) await kind?.remove(port, resource.physicalId, resource.properties)
    await note('DELETE_COMPLETE')
    return true
  } catch (error) {
    await note('DELETE_FAILED', work.reasonOf(error))
    return false
  }
}

function inReverse(resources: readonly StackResource[]): readonly StackResource[] {
  const ordered: StackResource[] = []
  let left = [...resources]
  while (left.length > 0) {
    const needed = new Set(left.flatMap(({ dependsOn }) => dependsOn))
    const free = left.filter(({ logicalId }) => !needed.has(logicalId))
    const next = free.length === 0 ? left : free
    ordered.push(...next)
    left = left.filter((resource) => !next.includes(resource))
  }
  return ordered
}
