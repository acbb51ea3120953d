import { validationException } from '@hashrange/core'
import { pageToken, type Scope } from '@hashrange/engine'
import type { CloudFormation } from '../cloudformation.ts'
import { stackArn, type EventRecord, type StackRecord, type StackResource } from '../records/stack-record.ts'
import { requireStack } from '../stacks/stack-book.ts'
import { pageOfList } from './page-of-list.ts'
import { afterToken } from './describe-stacks.ts'

interface OfStack {
  readonly StackName: string
  readonly NextToken?: string
}

export async function describeStackEvents(cf: CloudFormation, scope: Scope, { StackName, NextToken }: OfStack) {
  const { events, stack, next } = await eventsOf(cf, scope, StackName, NextToken)
  return { StackEvents: events.map((event) => shownEvent(scope, stack, event)), NextToken: next }
}

/** The same, by operation. */
export async function describeEvents(
  cf: CloudFormation,
  scope: Scope,
  input: {
    readonly StackName?: string
    readonly OperationId?: string
    readonly NextToken?: string
    readonly Filters?: { readonly FailedEvents?: boolean }
  },
) {
  if (input.StackName === undefined) throw validationException('StackName must be specified.')
  const { events, stack, next } = await eventsOf(cf, scope, input.StackName, input.NextToken)
  const wanted = events
    .filter(({ operationId }) => input.OperationId === undefined || operationId === input.OperationId)
    .filter(({ status }) => input.Filters?.FailedEvents !== true || status.endsWith('_FAILED'))
  return {
    OperationEvents: wanted.map((event) => ({ ...shownEvent(scope, stack, event), EventType: 'STACK_EVENT' })),
    NextToken: next,
  }
}

export async function listStackResources(
  cf: CloudFormation,
  scope: Scope,
  { StackName, NextToken: token }: OfStack,
) {
  const stack = await requireStack(cf, scope, StackName)
  const { page, NextToken } = pageOfList(Object.values(stack.resources), token)
  const StackResourceSummaries = page.map((resource) => ({
    ...shownResource(resource),
    LastUpdatedTimestamp: new Date(resource.changedAtMs),
  }))
  return { StackResourceSummaries, NextToken }
}

export async function describeStackResource(
  cf: CloudFormation,
  scope: Scope,
  { StackName, LogicalResourceId }: OfStack & { readonly LogicalResourceId: string },
) {
  const stack = await requireStack(cf, scope, StackName)
  const resource = Object.hasOwn(stack.resources, LogicalResourceId)
    ? stack.resources[LogicalResourceId]
    : undefined
  if (resource === undefined)
    throw validationException(`Resource ${LogicalResourceId.slice(0, 255)} does not exist for stack ${stack.name}`)
  return {
    StackResourceDetail: {
      ...ofStack(scope, stack),
      ...shownResource(resource),
      LastUpdatedTimestamp: new Date(resource.changedAtMs),
      Metadata: '{}',
    },
  }
}

export async function describeStackResources(
  cf: CloudFormation,
  scope: Scope,
  input: { readonly StackName?: string; readonly LogicalResourceId?: string; readonly PhysicalResourceId?: string },
) {
  const stack = await (input.StackName === undefined
    ? stackWith(cf, scope, input.PhysicalResourceId)
    : requireStack(cf, scope, input.StackName))
  const wanted = Object.values(stack.resources).filter(
    ({ logicalId }) => input.LogicalResourceId === undefined || logicalId === input.LogicalResourceId,
  )
  const StackResources = wanted.map((resource) => ({
    ...ofStack(scope, stack),
    ...shownResource(resource),
    Timestamp: new Date(resource.changedAtMs),
  }))
  return { StackResources }
}

async function stackWith(
  { stacks }: CloudFormation,
  scope: Scope,
  physicalId: string | undefined,
): Promise<StackRecord> {
  if (physicalId === undefined)
    throw validationException('Either StackName or PhysicalResourceId must be specified.')
  const found = (await stacks.list(scope)).find(
    ({ status, resources }) =>
      status !== 'DELETE_COMPLETE' && Object.values(resources).some((one) => one.physicalId === physicalId),
  )
  if (found === undefined) throw validationException(`Stack for ${physicalId.slice(0, 300)} does not exist`)
  return found
}

/** Newest first. */
async function eventsOf(cf: CloudFormation, scope: Scope, named: string, token: string | undefined) {
  const stack = await requireStack(cf, scope, named)
  const { records: events, next } = await cf.stackEvents.page(scope, {
    parts: [stack.uid],
    limit: 100,
    after: afterToken(token),
    reverse: true,
  })
  return { stack, events, next: pageToken(next) }
}

function shownEvent(scope: Scope, stack: StackRecord, event: EventRecord) {
  return {
    ...ofStack(scope, stack),
    EventId: event.id,
    OperationId: event.operationId,
    LogicalResourceId: event.logicalId,
    PhysicalResourceId: event.physicalId,
    ResourceType: event.type,
    Timestamp: new Date(event.atMs),
    ResourceStatus: event.status,
    ResourceStatusReason: event.reason,
    ResourceProperties: event.properties,
    ClientRequestToken: event.token,
  }
}

function ofStack(scope: Scope, stack: StackRecord) {
  return { StackName: stack.name, StackId: stackArn(scope, stack) }
}

function shownResource({ logicalId, physicalId, type, status, reason }: StackResource) {
  return {
    LogicalResourceId: logicalId,
    PhysicalResourceId: physicalId,
    ResourceType: type,
    ResourceStatus: status,
    ResourceStatusReason: reason,
    DriftInformation: { StackResourceDriftStatus: 'NOT_CHECKED' },
  }
}
