import { readInput } from '@hashrange/engine'
import { ItemKeys, type ItemFacts } from './item-keys.ts'
import { keyValues } from './key-values.ts'
import { namedAttributes, type NamingMembers } from './named-attributes.ts'
import type { AskedOperation, Need, NeedsOf } from './need.ts'
import { tableReference } from './table-reference.ts'

type Raw = Readonly<Record<string, unknown>>

/** What the operations on items need. Batches and transactions need it for each of their parts. */
export const itemNeeds: Readonly<Record<string, NeedsOf>> = {
  GetItem: (asked) => {
    const input = readInput('GetItem', asked.body)
    return [
      itemNeed(asked, 'dynamodb:GetItem', input.TableName, [input.Key], { ...readFacts(input), ...charged(input) }),
    ]
  },

  PutItem: (asked) => {
    const input = readInput('PutItem', asked.body)
    return [
      itemNeed(asked, 'dynamodb:PutItem', input.TableName, [input.Item], {
        ...writeFacts(input),
        ...charged(input),
      }),
    ]
  },

  UpdateItem: (asked) => {
    const input = readInput('UpdateItem', asked.body)
    return [
      itemNeed(asked, 'dynamodb:UpdateItem', input.TableName, [input.Key], {
        ...writeFacts(input),
        ...charged(input),
      }),
    ]
  },

  DeleteItem: (asked) => {
    const input = readInput('DeleteItem', asked.body)
    return [
      itemNeed(asked, 'dynamodb:DeleteItem', input.TableName, [input.Key], {
        ...writeFacts(input),
        ...charged(input),
      }),
    ]
  },

  BatchGetItem: (asked) => {
    const input = readInput('BatchGetItem', asked.body)
    return Object.entries(input.RequestItems).map(([tableName, asks]) =>
      itemNeed(asked, 'dynamodb:BatchGetItem', tableName, asks.Keys, { ...readFacts(asks), ...charged(input) }),
    )
  },

  BatchWriteItem: (asked) => {
    const input = readInput('BatchWriteItem', asked.body)
    return Object.entries(input.RequestItems).map(([tableName, requests]) => {
      const items = requests.flatMap(({ PutRequest, DeleteRequest }) => [
        ...(PutRequest === undefined ? [] : [PutRequest.Item]),
        ...(DeleteRequest === undefined ? [] : [DeleteRequest.Key]),
      ])
      const attributes = (): readonly string[] => namedAttributes({ Keys: items })
      return itemNeed(asked, 'dynamodb:BatchWriteItem', tableName, items, { attributes, ...charged(input) })
    })
  },

  TransactGetItems: (asked) => {
    const input = readInput('TransactGetItems', asked.body)
    const enclosing = { enclosingOperation: 'TransactGetItems', ...charged(input) }
    return input.TransactItems.map(({ Get }) =>
      itemNeed(asked, 'dynamodb:GetItem', Get.TableName, [Get.Key], { ...readFacts(Get), ...enclosing }),
    )
  },

  TransactWriteItems: (asked) => {
    const input = readInput('TransactWriteItems', asked.body)
    const enclosing = { enclosingOperation: 'TransactWriteItems', ...charged(input) }
    return input.TransactItems.flatMap(({ Put, Update, Delete, ConditionCheck }) => {
      // A part that names several of them is refused later; until then, each of them is needed.
      const needs: Need[] = []
      const add = (action: string, part: WritePart | undefined): void => {
        if (part === undefined) return
        const items = [part.Item ?? part.Key ?? {}]
        needs.push(itemNeed(asked, action, part.TableName, items, { ...writeFacts(part), ...enclosing }))
      }
      add('dynamodb:PutItem', Put)
      add('dynamodb:UpdateItem', Update)
      add('dynamodb:DeleteItem', Delete)
      add('dynamodb:ConditionCheckItem', ConditionCheck)
      return needs
    })
  },
}

interface WritePart extends NamingMembers {
  readonly TableName: string
  readonly ReturnValuesOnConditionCheckFailure?: string
}

function itemNeed(
  { scope, tables }: AskedOperation,
  action: string,
  tableName: string,
  items: readonly Raw[],
  facts: ItemFacts,
): Need {
  const table = tableReference(scope, tableName)
  const partitionValues = (): readonly (readonly string[])[] | undefined => {
    const hash = tables.definitionOf(table, table.tableName)?.keySchema.hash
    return hash?.map((attribute) => keyValues(items, attribute))
  }
  return { action, resource: table.arn, table, keys: new ItemKeys({ partitionValues, ...facts }) }
}

/** Without a projection, a read is of all attributes. */
function readFacts(members: NamingMembers): ItemFacts {
  const isProjected = members.ProjectionExpression !== undefined || members.AttributesToGet !== undefined
  return {
    attributes: () => namedAttributes(members),
    select: isProjected ? 'SPECIFIC_ATTRIBUTES' : 'ALL_ATTRIBUTES',
  }
}

interface WriteMembers extends NamingMembers {
  readonly ReturnValues?: string
  readonly ReturnValuesOnConditionCheckFailure?: string
}

/** What a failed condition returns is returned like what a write returns: whoever may not have the one may not have the other. */
function writeFacts(members: WriteMembers): ItemFacts {
  const { ReturnValues: returned = 'NONE', ReturnValuesOnConditionCheckFailure: onFailure } = members
  return {
    attributes: () => namedAttributes(members),
    returnValues: onFailure === 'ALL_OLD' ? onFailure : returned,
  }
}

/** `NONE` unless the request says otherwise. */
export function charged({
  ReturnConsumedCapacity = 'NONE',
}: {
  readonly ReturnConsumedCapacity?: string
}): ItemFacts {
  return { returnConsumedCapacity: ReturnConsumedCapacity }
}
