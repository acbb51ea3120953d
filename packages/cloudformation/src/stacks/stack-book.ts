import { ServiceError, validationException } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { CloudFormation } from '../cloudformation.ts'
import { stackArn, type ChangeSetRecord, type StackRecord } from '../records/stack-record.ts'

/** The stack of this name that was not deleted, or of this ARN, whatever became of it. */
export async function findStack(
  { stacks }: CloudFormation,
  scope: Scope,
  named: string,
): Promise<StackRecord | undefined> {
  if (named.startsWith('arn:')) {
    const prefix = `arn:aws:cloudformation:${scope.region}:${scope.accountId}:stack/`
    const [name, uid, ...rest] = named.startsWith(prefix) ? named.slice(prefix.length).split('/') : []
    if (name === undefined || uid === undefined || rest.length > 0 || named.includes('\0')) return undefined
    return stacks.get(scope, [name, uid])
  }
  if (!stackNamePattern.test(named)) return undefined
  const found = await stacks.list(scope, [named])
  return found.find(({ status }) => status !== 'DELETE_COMPLETE')
}

const stackNamePattern = /^[a-zA-Z][-a-zA-Z0-9]{0,127}$/

export function assertStackName(name: string): void {
  if (stackNamePattern.test(name)) return
  throw validationException(
    `1 validation error detected: Value '${name.slice(0, 256)}' at 'stackName' failed to satisfy constraint: ${
      name.length > 128
        ? 'Member must have length less than or equal to 128'
        : 'Member must satisfy regular expression pattern: [a-zA-Z][-a-zA-Z0-9]*'
    }`,
  )
}

export async function requireStack(cf: CloudFormation, scope: Scope, named: string): Promise<StackRecord> {
  const stack = await findStack(cf, scope, named)
  if (stack === undefined) throw validationException(`Stack with id ${named.slice(0, 300)} does not exist`)
  return stack
}

/** A change set by its name and its stack's, or by its ARN. */
export async function requireChangeSet(
  cf: CloudFormation,
  scope: Scope,
  named: string,
  stackNamed: string | undefined,
): Promise<ChangeSetRecord> {
  const found = await findChangeSet(cf, scope, named, stackNamed)
  if (found === undefined)
    throw new ServiceError('ChangeSetNotFoundException', `ChangeSet [${named.slice(0, 300)}] does not exist`)
  return found
}

export async function findChangeSet(
  cf: CloudFormation,
  scope: Scope,
  named: string,
  stackNamed: string | undefined,
): Promise<ChangeSetRecord | undefined> {
  if (named.startsWith('arn:')) {
    const [name, uid] = named.split(':changeSet/')[1]?.split('/') ?? []
    const all = await cf.changeSets.list(scope)
    return all.find((one) => one.name === name && one.uid === uid)
  }
  if (stackNamed === undefined)
    throw validationException('StackName must be specified if ChangeSetName is not specified as an ARN.')
  const stack = await findStack(cf, scope, stackNamed)
  if (stack === undefined) throw validationException(`Stack [${stackNamed.slice(0, 300)}] does not exist`)
  return named.includes('\0') ? undefined : cf.changeSets.get(scope, [stack.name, stack.uid, named])
}

/** The exports of all stacks of an account and region. */
export async function exportsOf({ stacks }: CloudFormation, scope: Scope): Promise<readonly Exported[]> {
  const found: Exported[] = []
  for (const stack of await stacks.list(scope)) {
    if (stack.status === 'DELETE_COMPLETE') continue
    for (const { ExportName, OutputValue } of stack.outputs) {
      if (ExportName !== undefined)
        found.push({
          Name: ExportName,
          Value: OutputValue,
          ExportingStackId: stackArn(scope, stack),
          uid: stack.uid,
        })
    }
  }
  return found
}

export interface Exported {
  readonly Name: string
  readonly Value: string
  readonly ExportingStackId: string
  readonly uid: string
}

/** The names of the stacks that use an export. */
export async function importersOf(
  { stacks }: CloudFormation,
  scope: Scope,
  name: string,
): Promise<readonly string[]> {
  const all = await stacks.list(scope)
  return all
    .filter(({ status, imports }) => status !== 'DELETE_COMPLETE' && imports.includes(name))
    .map((stack) => stack.name)
}
