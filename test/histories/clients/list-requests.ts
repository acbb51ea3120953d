import type { Append, Read } from '../checker/transaction.ts'
import { poolNameOf } from './list-space.ts'

export const listTable = 'lists'
export const poolIndex = 'pools'

/** Each list is an item; each pool of lists is together in a global index. */
export const listTableDefinition = {
  TableName: listTable,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['pk', 'pool'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  GlobalSecondaryIndexes: [
    {
      IndexName: poolIndex,
      KeySchema: [
        { AttributeName: 'pool', KeyType: 'HASH' },
        { AttributeName: 'pk', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
}

export interface ListItem {
  readonly pk: { readonly S: string }
  readonly list?: { readonly L: readonly { readonly N: string }[] }
}

export function valuesOf(item: ListItem | undefined): readonly number[] {
  return item?.list?.L.map(({ N }) => Number(N)) ?? []
}

/** An update that appends. With `length`, it is refused unless the list is as long. */
export function updateOf({ key, values }: Append, length?: number): object {
  const condition = length === undefined ? undefined : conditionOn(length)
  return {
    TableName: listTable,
    Key: { pk: { S: key } },
    UpdateExpression: 'SET #list = list_append(if_not_exists(#list, :none), :values), #pool = :pool',
    ExpressionAttributeNames: { '#list': 'list', '#pool': 'pool' },
    ...(condition && { ConditionExpression: condition.ConditionExpression, ...returnFailed }),
    ExpressionAttributeValues: {
      ':none': { L: [] },
      ':values': { L: values.map((value) => ({ N: String(value) })) },
      ':pool': { S: poolNameOf(key) },
      ...condition?.values,
    },
  }
}

/** The same in PartiQL, which updates only what is there. */
export function statementOf({ key, values }: Append): object {
  return {
    Statement: `UPDATE "${listTable}" SET "list" = list_append("list", ?) WHERE pk = ?`,
    Parameters: [{ L: values.map((value) => ({ N: String(value) })) }, { S: key }],
  }
}

/** An action that changes nothing, and is refused unless the list is as long. */
export function checkOf(key: string, length: number): object {
  const { ConditionExpression, values } = conditionOn(length)
  return {
    TableName: listTable,
    Key: { pk: { S: key } },
    ConditionExpression,
    ExpressionAttributeNames: { '#list': 'list' },
    ...(length > 0 && { ExpressionAttributeValues: values }),
    ...returnFailed,
  }
}

const returnFailed = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }

function conditionOn(length: number): { readonly ConditionExpression: string; readonly values: object } {
  return length === 0
    ? { ConditionExpression: 'attribute_not_exists(#list)', values: {} }
    : { ConditionExpression: 'size(#list) = :length', values: { ':length': { N: String(length) } } }
}

interface Reason {
  readonly Code: string
  readonly Item?: ListItem
}

/** What a refusal tells of the lists: where a condition failed, the list comes with it. */
export function readsOfRefusal(body: unknown, keys: readonly string[]): readonly Read[] {
  const { CancellationReasons: reasons = [] } = body as { CancellationReasons?: readonly Reason[] }
  return reasons.flatMap(({ Code, Item }, index): Read | readonly Read[] => {
    const key = keys[index]
    return Code === 'ConditionalCheckFailed' && key !== undefined ? { key, values: valuesOf(Item) } : []
  })
}
