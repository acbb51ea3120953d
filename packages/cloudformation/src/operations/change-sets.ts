import { pageOfList } from './page-of-list.ts'
import { ServiceError, validationException } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { SentChangeSet } from '../api/inputs.ts'
import type { CloudFormation } from '../cloudformation.ts'
import { assertIdle, startOperation } from '../deploy/start-operation.ts'
import { changeSetArn, stackArn, type ChangeSetRecord, type StackRecord } from '../records/stack-record.ts'
import { assertDeployable } from '../stacks/assert-deployable.ts'
import { planChanges } from '../stacks/plan-changes.ts'
import { readVersion } from '../stacks/read-version.ts'
import { assertStackName, exportsOf, findChangeSet, findStack, requireChangeSet } from '../stacks/stack-book.ts'
import { ofStack, withEvents } from '../stacks/stack-events.ts'
import { alone, newStack } from './create-stack.ts'
import { shownParameters } from './describe-stacks.ts'
import { beginUpdate, hasChanges } from './update-stack.ts'

interface NamedChangeSet {
  readonly ChangeSetName: string
  readonly StackName?: string
}

const none =
  "The submitted information didn't contain changes. Submit different information to create a change set."

export async function createChangeSet(cf: CloudFormation, scope: Scope, input: SentChangeSet) {
  const isCreation = input.ChangeSetType === 'CREATE'
  if (input.ChangeSetType === 'IMPORT')
    throw validationException('This server cannot import resources into stacks.')
  const existing = await findStack(cf, scope, input.StackName)
  if (!isCreation && (existing === undefined || existing.status === 'DELETE_COMPLETE'))
    throw validationException(`Stack [${input.StackName.slice(0, 300)}] does not exist`)
  if (isCreation && existing !== undefined && existing.status !== 'REVIEW_IN_PROGRESS')
    throw validationException(
      `Stack [${existing.name}] already exists and cannot be created again with the changeSet [${input.ChangeSetName}].`,
    )
  if (!isCreation && existing !== undefined) assertIdle(scope, existing, 'updated')
  const version = await readVersion(cf, scope, input, { previous: existing?.version, isChangeSet: true })
  const begun = existing ?? newStack(cf, input.StackName, version)
  assertDeployable(scope, begun, version)
  const exports = new Map((await exportsOf(cf, scope)).map(({ Name, Value }) => [Name, Value]))
  const stack = existing ?? (await reviewed(cf, scope, input.StackName, begun))
  const changes = planChanges(scope, stack, version, exports)
  const isEmpty = !isCreation && !(await hasChanges(cf, scope, stack, version))
  const onFailure = input.OnStackFailure ?? 'ROLLBACK'
  const record: ChangeSetRecord = {
    stackName: stack.name,
    stackUid: stack.uid,
    name: input.ChangeSetName,
    uid: cf.randomness.uuid(),
    description: input.Description,
    status: isEmpty ? 'FAILED' : 'CREATE_COMPLETE',
    statusReason: isEmpty ? none : undefined,
    executionStatus: isEmpty ? 'UNAVAILABLE' : 'AVAILABLE',
    createdAtMs: cf.clock.now(),
    version,
    changes,
    onFailure,
  }
  await cf.changeSets.change(scope, [stack.name, stack.uid, record.name], (current) => {
    if (current !== undefined)
      throw new ServiceError(
        'AlreadyExistsException',
        `ChangeSet ${record.name} cannot be created because a change set with that name already exists for stack ${stack.name}`,
      )
    return record
  })
  return { Id: changeSetArn(scope, record), StackId: stackArn(scope, stack) }
}

/** A stack that there is no more of yet than a change set. */
function reviewed(cf: CloudFormation, scope: Scope, name: string, stack: StackRecord): Promise<StackRecord> {
  assertStackName(name)
  return alone(cf, scope, name, async () => {
    const other = await findStack(cf, scope, name)
    if (other !== undefined) return other
    const told = { ...stack, statusReason: 'User Initiated' }
    const { stack: counted, writes } = withEvents(cf, scope, told, [ofStack(scope, told)], {
      id: cf.randomness.uuid(),
      atMs: cf.clock.now(),
    })
    await cf.transact([], () => ({ writes, answer: undefined }))
    return counted
  })
}

export async function describeChangeSet(
  cf: CloudFormation,
  scope: Scope,
  input: NamedChangeSet & { readonly NextToken?: string },
) {
  const record = await requireChangeSet(cf, scope, input.ChangeSetName, input.StackName)
  const { version } = record
  const { page, NextToken } = pageOfList(record.changes, input.NextToken)
  return {
    ...summaryOf(scope, record),
    Parameters: shownParameters(version),
    NotificationARNs: version.notificationArns,
    Capabilities: version.capabilities,
    Tags: version.tags,
    RollbackConfiguration: {},
    Changes: page,
    NextToken,
    OnStackFailure: record.onFailure,
  }
}

export async function listChangeSets(
  cf: CloudFormation,
  scope: Scope,
  { StackName }: { readonly StackName: string },
) {
  const stack = await findStack(cf, scope, StackName)
  if (stack === undefined) throw validationException(`Stack [${StackName.slice(0, 300)}] does not exist`)
  const found = await cf.changeSets.list(scope, [stack.name, stack.uid])
  return { Summaries: found.map((record) => summaryOf(scope, record)) }
}

export async function deleteChangeSet(cf: CloudFormation, scope: Scope, input: NamedChangeSet) {
  const record = await findChangeSet(cf, scope, input.ChangeSetName, input.StackName)
  if (record !== undefined)
    await cf.changeSets.change(scope, [record.stackName, record.stackUid, record.name], () => undefined)
  return {}
}

export async function executeChangeSet(
  cf: CloudFormation,
  scope: Scope,
  input: NamedChangeSet & { readonly ClientRequestToken?: string; readonly DisableRollback?: boolean },
) {
  const record = await requireChangeSet(cf, scope, input.ChangeSetName, input.StackName)
  const { stackName, stackUid, version } = record
  const stack = await cf.stacks.get(scope, [stackName, stackUid])
  if (stack === undefined) throw validationException(`Stack [${stackName}] does not exist`)
  const token = input.ClientRequestToken
  if (token !== undefined && stack.tokens.some((one) => one.endsWith(` ${token}`))) return {}
  if (record.executionStatus !== 'AVAILABLE')
    throw new ServiceError(
      'InvalidChangeSetStatusException',
      `ChangeSet [${changeSetArn(scope, record)}] cannot be executed in its current execution status of [${record.executionStatus}]`,
    )
  const onFailure = input.DisableRollback === true ? 'DO_NOTHING' : record.onFailure
  const changeSetId = changeSetArn(scope, record)
  if (stack.status === 'REVIEW_IN_PROGRESS') {
    await startOperation(cf, scope, [stackName, stackUid], {
      operation: { kind: 'create', token, onFailure, wanted: version, retain: [] },
      status: 'CREATE_IN_PROGRESS',
      decide: (current) => {
        if (current?.status !== 'REVIEW_IN_PROGRESS' || current.operation !== undefined)
          throw validationException(
            `Stack:${stackArn(scope, stack)} is in ${current?.status ?? 'DELETE_COMPLETE'} state and can not be updated.`,
          )
        return { ...current, version, changeSetId }
      },
    })
  } else await beginUpdate(cf, scope, stack, { version, onFailure, token, changeSetId })
  // The others were made for the stack as it was.
  for (const one of await cf.changeSets.list(scope, [stackName, stackUid])) {
    const executionStatus = one.name === record.name ? 'EXECUTE_COMPLETE' : 'OBSOLETE'
    await cf.changeSets.change(scope, [stackName, stackUid, one.name], (current) =>
      current === undefined ? undefined : { ...current, executionStatus },
    )
  }
  return {}
}

function summaryOf(scope: Scope, record: ChangeSetRecord) {
  return {
    ChangeSetName: record.name,
    ChangeSetId: changeSetArn(scope, record),
    StackId: stackArn(scope, { name: record.stackName, uid: record.stackUid }),
    StackName: record.stackName,
    Description: record.description,
    CreationTime: new Date(record.createdAtMs),
    ExecutionStatus: record.executionStatus,
    Status: record.status,
    StatusReason: record.statusReason,
    IncludeNestedStacks: false,
  }
}
