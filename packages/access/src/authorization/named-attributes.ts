import {
  compileCondition,
  compileProjection,
  compileUpdate,
  conditionPaths,
  ExpressionScope,
  pathHead,
  updatePaths,
  type ConditionKind,
  type Path,
} from '@hashrange/core'

/** The members of requests that name attributes, whichever request has them. */
export interface NamingMembers {
  readonly Key?: Readonly<Record<string, unknown>>
  readonly Keys?: readonly Readonly<Record<string, unknown>>[]
  readonly Item?: Readonly<Record<string, unknown>>
  readonly ProjectionExpression?: string
  readonly AttributesToGet?: readonly string[]
  readonly ConditionExpression?: string
  readonly FilterExpression?: string
  readonly KeyConditionExpression?: string
  readonly UpdateExpression?: string
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>
  readonly AttributeUpdates?: Readonly<Record<string, unknown>>
  readonly Expected?: Readonly<Record<string, unknown>>
  readonly KeyConditions?: Readonly<Record<string, unknown>>
  readonly QueryFilter?: Readonly<Record<string, unknown>>
  readonly ScanFilter?: Readonly<Record<string, unknown>>
}

/** `dynamodb:Attributes`: the top-level attributes that a request names, wherever it names them. An expression that cannot be read is
 *  refused here as it would be later. */
export function namedAttributes(members: NamingMembers): readonly string[] {
  const names = new Set<string>()
  for (const record of [
    members.Key,
    ...(members.Keys ?? []),
    members.Item,
    members.AttributeUpdates,
    members.Expected,
    members.KeyConditions,
    members.QueryFilter,
    members.ScanFilter,
  ]) {
    if (record !== undefined) for (const name of Object.keys(record)) names.add(name)
  }
  // Before there were expressions, an attribute was named alone; a path is not understood there.
  for (const name of members.AttributesToGet ?? []) names.add(name)
  for (const path of expressionPaths(members)) names.add(pathHead(path))
  return [...names]
}

function expressionPaths(members: NamingMembers): readonly Path[] {
  const { ProjectionExpression: projection, UpdateExpression: update } = members
  const conditions: readonly (readonly [ConditionKind, string | undefined])[] = [
    ['ConditionExpression', members.ConditionExpression],
    ['FilterExpression', members.FilterExpression],
    ['KeyConditionExpression', members.KeyConditionExpression],
  ]
  if (projection === undefined && update === undefined && conditions.every(([, text]) => text === undefined))
    return []
  const scope = new ExpressionScope(members.ExpressionAttributeNames, members.ExpressionAttributeValues)
  const paths: Path[] = []
  if (projection !== undefined) paths.push(...compileProjection(projection, scope).paths)
  if (update !== undefined) paths.push(...updatePaths(compileUpdate(update, scope)))
  for (const [kind, text] of conditions) {
    if (text !== undefined) paths.push(...conditionPaths(compileCondition(text, kind, scope)))
  }
  return paths
}
