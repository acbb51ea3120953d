import { validationException } from '@hashrange/core'
import type { Lease, Scope } from '@hashrange/engine'
import type { CloudFormation } from '../cloudformation.ts'
import type { StackOutput, StackVersion } from '../records/stack-record.ts'
import { declaredResources } from '../stacks/declared-resources.ts'
import { readTemplate } from '../stacks/read-template.ts'
import { exportsOf, importersOf } from '../stacks/stack-book.ts'
import { StackValues } from '../stacks/stack-values.ts'
import { deployResource, ResourceFailed } from './deploy-resource.ts'
import { removeResources } from './remove-resources.ts'
import { rollBackCreation, rollBackUpdate } from './roll-back.ts'
import { stackOutputs } from './stack-outputs.ts'
import { StackWork } from './stack-work.ts'

/** Carries out what is being done to a stack, from wherever it stands. */
export async function runStack(
  cf: CloudFormation,
  scope: Scope,
  parts: readonly string[],
  lease: Lease,
): Promise<void> {
  const stack = await cf.stacks.get(scope, parts)
  if (stack?.operation === undefined) {
    await cf.pending.change(scope, parts, () => undefined)
    return
  }
  const work = new StackWork(cf, scope, stack, stack.operation, lease)
  const { kind, phase } = work.operation
  if (kind === 'delete') return deleteStack(work)
  if (phase === 'rollback') return rollBack(work)
  if (phase === 'cleanup') return cleanUp(work)
  return deploy(work)
}

async function deploy(work: StackWork): Promise<void> {
  const wanted = work.operation.wanted ?? work.stack.version
  try {
    const { outputs, imports } = await deployAll(work, wanted)
    const done = { version: wanted, outputs, imports }
    if (work.operation.kind === 'create') return await work.finish('CREATE_COMPLETE', undefined, done)
    const operation = { ...work.operation, phase: 'cleanup' } as const
    await work.enter('UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', undefined, { ...done, operation })
    return await cleanUp(work)
  } catch (error) {
    const isCreation = work.operation.kind === 'create'
    const failed =
      error instanceof ResourceFailed
        ? `The following resource(s) failed to ${error.verb.toLowerCase()}: [${error.logicalId}].`
        : work.reasonOf(error)
    const { onFailure } = work.operation
    if (onFailure === 'DO_NOTHING') {
      // What was done stays; the stack goes on from there.
      const version = {
        version: { ...work.stack.version, template: wanted.template, parameters: wanted.parameters },
      }
      return work.finish(isCreation ? 'CREATE_FAILED' : 'UPDATE_FAILED', failed, version)
    }
    const status = isCreation ? (onFailure === 'DELETE' ? 'DELETE' : 'ROLLBACK') : 'UPDATE_ROLLBACK'
    await work.enterPhase('rollback', `${status}_IN_PROGRESS`, `${failed} Rollback requested by user.`)
    return rollBack(work)
  }
}

async function deployAll(
  work: StackWork,
  version: StackVersion,
): Promise<{ readonly outputs: readonly StackOutput[]; readonly imports: readonly string[] }> {
  const { cf, scope } = work
  const document = readTemplate(version.template)
  const exported = await exportsOf(cf, scope)
  const exports = new Map(exported.map(({ Name, Value }) => [Name, Value]))
  const values = new StackValues({
    scope,
    stack: work.stack,
    version,
    document,
    exports,
    // As they are when they are asked for: each resource may need those before it.
    get resources() {
      return work.stack.resources
    },
  })
  for (const declared of declaredResources(values)) await deployResource(work, declared, values)
  const outputs = stackOutputs(document, values, work.stack.uid, exported)
  for (const { ExportName } of work.stack.outputs) {
    if (ExportName === undefined || outputs.some((one) => one.ExportName === ExportName)) continue
    const [user] = await importersOf(cf, scope, ExportName)
    if (user !== undefined)
      throw validationException(`Export ${ExportName} cannot be deleted as it is in use by ${user}`)
  }
  return { outputs, imports: [...values.imports] }
}

/** After an update: what is not declared any more goes, and what was replaced. */
async function cleanUp(work: StackWork): Promise<void> {
  const { cf, scope } = work
  const { version } = work.stack
  const document = readTemplate(version.template)
  const known = { scope, stack: work.stack, version, document, resources: work.stack.resources, exports: new Map() }
  const declared = new Set(declaredResources(new StackValues(known)).map(({ id }) => id))
  const removed = Object.values(work.stack.resources).filter(({ logicalId }) => !declared.has(logicalId))
  await removeResources(work, work.stack.replaced, ({ updateReplacePolicy }) => updateReplacePolicy !== 'Delete')
  await removeResources(work, removed, ({ deletionPolicy }) => deletionPolicy.startsWith('Retain'))
  const resources = Object.fromEntries(
    Object.entries(work.stack.resources)
      .filter(([id]) => declared.has(id))
      .map(([id, resource]) => [id, { ...resource, before: undefined }]),
  )
  await work.finish('UPDATE_COMPLETE', undefined, { resources, replaced: [], updatedAtMs: cf.clock.now() })
}

function rollBack(work: StackWork): Promise<void> {
  return work.operation.kind === 'create' ? rollBackCreation(work) : rollBackUpdate(work)
}

async function deleteStack(work: StackWork): Promise<void> {
  const { cf, scope } = work
  for (const { ExportName } of work.stack.outputs) {
    const [user] = ExportName === undefined ? [] : await importersOf(cf, scope, ExportName)
    if (user !== undefined && user !== work.stack.name)
      return work.finish('DELETE_FAILED', `Export ${ExportName} cannot be deleted as it is in use by ${user}`)
  }
  const { retain } = work.operation
  const resources = [...Object.values(work.stack.resources), ...work.stack.replaced]
  const failed = await removeResources(
    work,
    resources,
    ({ logicalId, deletionPolicy }) => retain.includes(logicalId) || deletionPolicy.startsWith('Retain'),
  )
  if (failed.length > 0)
    return work.finish('DELETE_FAILED', `The following resource(s) failed to delete: [${failed.join(', ')}]. `)
  return work.finish('DELETE_COMPLETE', undefined, { deletedAtMs: cf.clock.now(), imports: [] })
}
