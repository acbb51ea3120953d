import { readInput } from '@hashrange/engine'
import { ItemKeys } from './item-keys.ts'
import { keyValues } from './key-values.ts'
import { namedAttributes, type NamingMembers } from './named-attributes.ts'
import type { AskedOperation, Need, NeedsOf } from './need.ts'
import { tableReference, type TableReference } from './table-reference.ts'

type Raw = Readonly<Record<string, unknown>>

/** What the operations on items need. Batches and transactions need it for each of their parts. */
export const itemNeeds: Readonly<Record<string, NeedsOf>> = {
  GetItem: (asked) => {
    const input = readInput('GetItem', asked.body)
    return [readNeed(asked, 'dynamodb:GetItem', input.TableName, [input.Key], input, charge(input))]
  },

  PutItem: (asked) => {
    const input = readInput('PutItem', asked.body)
    return [writeNeed(asked, 'dynamodb:PutItem', input.TableName, [input.Item], input, charge(input))]
  },

  UpdateItem: (asked) => {
    const input = readInput('UpdateItem', asked.body)
    return [writeNeed(asked, 'dynamodb:UpdateItem', input.TableName, [input.Key], input, charge(input))]
  },

  DeleteItem: (asked) => {
    const input = readInput('DeleteItem', asked.body)
    return [writeNeed(asked, 'dynamodb:DeleteItem', input.TableName, [input.Key], input, charge(input))]
  },

  BatchGetItem: (asked) => {
    const input = readInput('BatchGetItem', asked.body)
    return Object.entries(input.RequestItems).map(([tableName, asks]) =>
      readNeed(asked, 'dynamodb:BatchGetItem', tableName, asks.Keys, asks, charge(input)),
    )
  },

  BatchWriteItem: (asked) => {
    const input = readInput('BatchWriteItem', asked.body)
    return Object.entries(input.RequestItems).map(([tableName, requests]) => {
      const items = requests.flatMap(({ PutRequest, DeleteRequest }) => [
        ...(PutRequest === undefined ? [] : [PutRequest.Item]),
        ...(DeleteRequest === undefined ? [] : [DeleteRequest.Key]),
      ])
      const table = tableReference(asked.scope, tableName)
      const keys = new ItemKeys({
        partitionValues: () => partitionsOf(asked, table, items),
        attributes: () => namedAttributes({ Keys: items }),
        returnConsumedCapacity: charge(input),
      })
      return { action: 'dynamodb:BatchWriteItem', resource: table.arn, table, keys }
    })
  },

  TransactGetItems: (asked) => {
    const input = readInput('TransactGetItems', asked.body)
    return input.TransactItems.map(({ Get }) =>
      readNeed(asked, 'dynamodb:GetItem', Get.TableName, [Get.Key], Get, charge(input), 'TransactGetItems'),
    )
  },

  TransactWriteItems: (asked) => {
    const input = readInput('TransactWriteItems', asked.body)
    return input.TransactItems.flatMap(({ Put, Update, Delete, ConditionCheck }) => {
      // A part that names several of them is refused later; until then, each of them is needed.
      const needs: Need[] = []
      const add = (action: string, part: WritePart | undefined): void => {
        if (part === undefined) return
        const items = [part.Item ?? part.Key ?? {}]
        needs.push(writeNeed(asked, action, part.TableName, items, part, charge(input), 'TransactWriteItems'))
      }
      add('dynamodb:PutItem', Put)
      add('dynamodb:UpdateItem', Update)
      add('dynamodb:DeleteItem', Delete)
      add('dynamodb:ConditionCheckItem', ConditionCheck)
      return needs
    })
  },
}

/** Without a projection, a read is of all attributes. */
function readNeed(
  asked: AskedOperation,
  action: string,
  tableName: string,
  items: readonly Raw[],
  members: NamingMembers,
  returnConsumedCapacity: string,
  enclosingOperation?: string,
): Need {
  const table = tableReference(asked.scope, tableName)
  const isProjected = members.ProjectionExpression !== undefined || members.AttributesToGet !== undefined
  const keys = new ItemKeys({
    partitionValues: () => partitionsOf(asked, table, items),
    attributes: () => namedAttributes(members),
    select: isProjected ? 'SPECIFIC_ATTRIBUTES' : 'ALL_ATTRIBUTES',
    returnConsumedCapacity,
    enclosingOperation,
  })
  return { action, resource: table.arn, table, keys }
}

interface WriteMembers extends NamingMembers {
  readonly ReturnValues?: string
  readonly ReturnValuesOnConditionCheckFailure?: string
}

interface WritePart extends WriteMembers {
  readonly TableName: string
}

/** What a failed condition returns is returned like what a write returns: whoever may not have the one may not have the other. */
function writeNeed(
  asked: AskedOperation,
  action: string,
  tableName: string,
  items: readonly Raw[],
  members: WriteMembers,
  returnConsumedCapacity: string,
  enclosingOperation?: string,
): Need {
  const table = tableReference(asked.scope, tableName)
  const { ReturnValues: returned = 'NONE', ReturnValuesOnConditionCheckFailure: onFailure } = members
  const keys = new ItemKeys({
    partitionValues: () => partitionsOf(asked, table, items),
    attributes: () => namedAttributes(members),
    returnValues: onFailure === 'ALL_OLD' ? onFailure : returned,
    returnConsumedCapacity,
    enclosingOperation,
  })
  return { action, resource: table.arn, table, keys }
}

function partitionsOf(
  { tables }: AskedOperation,
  table: TableReference,
  items: readonly Raw[],
): readonly (readonly string[])[] | undefined {
  const hash = tables.definitionOf(table, table.tableName)?.keySchema.hash
  return hash?.map((attribute) => keyValues(items, attribute))
}

/** `NONE` unless the request says otherwise. */
export function charge({ ReturnConsumedCapacity = 'NONE' }: { readonly ReturnConsumedCapacity?: string }): string {
  return ReturnConsumedCapacity
}
