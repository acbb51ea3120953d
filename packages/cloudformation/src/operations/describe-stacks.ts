import { validationException } from '@hashrange/core'
import { pageToken, readPageToken, type Scope } from '@hashrange/engine'
import type { CloudFormation } from '../cloudformation.ts'
import { stackArn, type StackRecord, type StackVersion } from '../records/stack-record.ts'
import { exportsOf, importersOf, requireStack } from '../stacks/stack-book.ts'
import { readTemplate } from '../stacks/read-template.ts'
import { objectOf, plainText } from '@hashrange/templates'

interface Paged {
  readonly NextToken?: string
}

export async function describeStacks(
  cf: CloudFormation,
  scope: Scope,
  input: Paged & { readonly StackName?: string },
) {
  if (input.StackName !== undefined && input.StackName !== '')
    return { Stacks: [described(scope, await requireStack(cf, scope, input.StackName))] }
  const { records, next } = await cf.stacks.page(scope, {
    limit: 100,
    after: afterToken(input.NextToken),
    matches: ({ status }) => status !== 'DELETE_COMPLETE',
  })
  return { Stacks: records.map((stack) => described(scope, stack)), NextToken: pageToken(next) }
}

export async function listStacks(
  cf: CloudFormation,
  scope: Scope,
  { NextToken, StackStatusFilter: wanted = [] }: Paged & { readonly StackStatusFilter?: readonly string[] },
) {
  const { records, next } = await cf.stacks.page(scope, {
    limit: 100,
    after: afterToken(NextToken),
    matches: ({ status }) => wanted.length === 0 || wanted.includes(status),
  })
  const StackSummaries = records.map((stack) => ({
    ...common(scope, stack),
    TemplateDescription: stack.version.description,
    DriftInformation: { StackDriftStatus: 'NOT_CHECKED' },
  }))
  return { StackSummaries, NextToken: pageToken(next) }
}

export async function listExports(cf: CloudFormation, scope: Scope) {
  const found = await exportsOf(cf, scope)
  return { Exports: found.map(({ Name, Value, ExportingStackId }) => ({ ExportingStackId, Name, Value })) }
}

export async function listImports(
  cf: CloudFormation,
  scope: Scope,
  { ExportName }: { readonly ExportName: string },
) {
  const Imports = await importersOf(cf, scope, ExportName)
  if (Imports.length === 0) throw validationException(`Export '${ExportName}' is not imported by any stack.`)
  return { Imports }
}

export function afterToken(token: string | undefined): readonly string[] | undefined {
  if (token === undefined) return undefined
  const after = readPageToken(token)
  if (after === undefined) throw validationException('NextToken is invalid.')
  return after
}

/** Values that are not to be seen are not shown. */
export function shownParameters({ template, parameters, resolved }: StackVersion) {
  const declared = objectOf(readTemplate(template)['Parameters'])
  return Object.entries(parameters).map(([ParameterKey, value]) => {
    const isHidden = plainText(objectOf(declared[ParameterKey])['NoEcho']) === 'true'
    return { ParameterKey, ParameterValue: isHidden ? '****' : value, ResolvedValue: resolved[ParameterKey] }
  })
}

function common(scope: Scope, stack: StackRecord) {
  const { name, createdAtMs, updatedAtMs, deletedAtMs, status, statusReason } = stack
  return {
    StackId: stackArn(scope, stack),
    StackName: name,
    CreationTime: new Date(createdAtMs),
    LastUpdatedTime: updatedAtMs === undefined ? undefined : new Date(updatedAtMs),
    DeletionTime: deletedAtMs === undefined ? undefined : new Date(deletedAtMs),
    StackStatus: status,
    StackStatusReason: statusReason,
  }
}

function described(scope: Scope, stack: StackRecord) {
  const { version, outputs, disableRollback, terminationProtection, changeSetId } = stack
  return {
    ...common(scope, stack),
    ChangeSetId: changeSetId,
    Description: version.description,
    Parameters: shownParameters(version),
    DisableRollback: disableRollback,
    NotificationARNs: version.notificationArns,
    Capabilities: version.capabilities,
    Outputs: outputs,
    RoleARN: version.roleArn,
    Tags: version.tags,
    EnableTerminationProtection: terminationProtection,
    RollbackConfiguration: {},
    DriftInformation: { StackDriftStatus: 'NOT_CHECKED' },
  }
}
