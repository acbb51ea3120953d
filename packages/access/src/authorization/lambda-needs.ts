import type { AskedOperation, Need, NeedsOf } from './need.ts'
import { sentText } from './sent-member.ts'
import { tableOfArn } from './table-reference.ts'

/** What Lambda needs. A function runs with the rights of its role, so whoever gives it one must be allowed to pass it. */
export const lambdaNeeds: Readonly<Record<string, NeedsOf>> = {
  ...onFunction(
    'DeleteFunction',
    'DeleteFunctionConcurrency',
    'GetFunction',
    'GetFunctionCodeSigningConfig',
    'GetFunctionConcurrency',
    'GetFunctionConfiguration',
    'GetFunctionEventInvokeConfig',
    'GetFunctionRecursionConfig',
    'GetPolicy',
    'GetRuntimeManagementConfig',
    'ListAliases',
    'ListVersionsByFunction',
    'PutFunctionConcurrency',
    'UpdateFunctionCode',
  ),
  CreateFunction: (asked) => [functionNeed(asked, 'CreateFunction'), ...passing(asked)],
  UpdateFunctionConfiguration: (asked) => [functionNeed(asked, 'UpdateFunctionConfiguration'), ...passing(asked)],
  Invoke: (asked) => [functionNeed(asked, 'InvokeFunction')],
  ...onEverything('GetAccountSettings', 'ListEventSourceMappings', 'ListFunctions'),
  ...onMapping('DeleteEventSourceMapping', 'GetEventSourceMapping', 'UpdateEventSourceMapping'),
  // On AWS, the role of the function must be allowed to read the stream. Here, whoever connects them must be.
  CreateEventSourceMapping: (asked) => [
    { action: 'lambda:CreateEventSourceMapping', resource: '*', keys: calledFunction(asked) },
    ...reading(asked),
  ],
  ...onTagged('ListTags', 'TagResource', 'UntagResource'),
}

function onFunction(...operations: readonly string[]): Readonly<Record<string, NeedsOf>> {
  return each(operations, (name, asked) => [functionNeed(asked, name)])
}

function onEverything(...operations: readonly string[]): Readonly<Record<string, NeedsOf>> {
  return each(operations, (name) => [{ action: `lambda:${name}`, resource: '*' }])
}

/** A mapping that changes its function calls another one. */
function onMapping(...operations: readonly string[]): Readonly<Record<string, NeedsOf>> {
  return each(operations, (name, asked) => {
    const { scope, body } = asked
    const uuid = sentText(body, 'UUID') ?? '*'
    const resource = `arn:aws:lambda:${scope.region}:${scope.accountId}:event-source-mapping:${uuid}`
    return [{ action: `lambda:${name}`, resource, keys: calledFunction(asked) }]
  })
}

function onTagged(...operations: readonly string[]): Readonly<Record<string, NeedsOf>> {
  return each(operations, (name, { body }) => [
    { action: `lambda:${name}`, resource: sentText(body, 'Resource') ?? '*' },
  ])
}

function functionNeed(asked: AskedOperation, action: string): Need {
  return { action: `lambda:${action}`, resource: functionArn(asked) }
}

/** From a name, an ARN or a part of one. */
function functionArn({ scope, body }: AskedOperation): string {
  const words = (sentText(body, 'FunctionName') ?? '*').split(':')
  const at = words.indexOf('function')
  const name = at < 0 ? words[0] : words[at + 1]
  return `arn:aws:lambda:${scope.region}:${scope.accountId}:function:${name ?? '*'}`
}

function calledFunction(asked: AskedOperation): ReadonlyMap<string, string> {
  return sentText(asked.body, 'FunctionName') === undefined
    ? new Map()
    : new Map([['lambda:FunctionArn', functionArn(asked)]])
}

function passing({ body }: AskedOperation): readonly Need[] {
  const role = sentText(body, 'Role')
  if (role === undefined) return []
  return [
    { action: 'iam:PassRole', resource: role, keys: new Map([['iam:PassedToService', 'lambda.amazonaws.com']]) },
  ]
}

function reading({ scope, body }: AskedOperation): readonly Need[] {
  const arn = sentText(body, 'EventSourceArn')
  if (arn === undefined) return []
  if (/^arn:[^:]*:kinesis:/.test(arn)) return [{ action: 'kinesis:GetRecords', resource: arn }]
  const table = tableOfArn(arn)
  const isOwn = table?.accountId === scope.accountId
  return [{ action: 'dynamodb:GetRecords', resource: arn, ...(isOwn && { table }) }]
}

function each(
  operations: readonly string[],
  needs: (name: string, asked: AskedOperation) => readonly Need[],
): Readonly<Record<string, NeedsOf>> {
  return Object.fromEntries(operations.map((name) => [name, (asked: AskedOperation) => needs(name, asked)]))
}
