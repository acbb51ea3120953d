import { compileCondition, ExpressionScope, keyTermsOf } from '@hashrange/core'
import { readInput, type KeySchema } from '@hashrange/engine'
import { charge } from './item-needs.ts'
import { ItemKeys, type ItemFacts } from './item-keys.ts'
import { keyValues, textOfKey, unknownKey } from './key-values.ts'
import { namedAttributes, type NamingMembers } from './named-attributes.ts'
import type { AskedOperation, Need, NeedsOf } from './need.ts'
import { tableReference, type TableReference } from './table-reference.ts'

/** What Query and Scan need: of an index if they read one, and else of the table. */
export const pageNeeds: Readonly<Record<string, NeedsOf>> = {
  Query: (asked) => {
    const input = readInput('Query', asked.body)
    return [
      pageNeed(asked, 'dynamodb:Query', input, (table) => {
        const key = keySchemaOf(asked, table, input.IndexName)
        return key?.hash.map((attribute) => [askedValue(input, attribute)])
      }),
    ]
  },

  Scan: (asked) => [pageNeed(asked, 'dynamodb:Scan', readInput('Scan', asked.body), undefined)],
}

interface PageInput extends NamingMembers {
  readonly TableName: string
  readonly IndexName?: string
  readonly Select?: string
  readonly ReturnConsumedCapacity?: string
}

function pageNeed(
  { scope }: AskedOperation,
  action: string,
  input: PageInput,
  partitionValues: ((table: TableReference) => readonly (readonly string[])[] | undefined) | undefined,
): Need {
  const table = tableReference(scope, input.TableName)
  const facts: ItemFacts = {
    ...(partitionValues && { partitionValues: () => partitionValues(table) }),
    attributes: () => namedAttributes(input),
    select: selected(input),
    returnConsumedCapacity: charge(input),
  }
  return { action, resource: resourceOf(table, input.IndexName), table, keys: new ItemKeys(facts) }
}

export function resourceOf(table: TableReference, indexName: string | undefined): string {
  return indexName === undefined ? table.arn : `${table.arn}/index/${indexName}`
}

function selected({ Select, ProjectionExpression, AttributesToGet, IndexName }: PageInput): string {
  if (Select !== undefined) return Select
  if (ProjectionExpression !== undefined || AttributesToGet !== undefined) return 'SPECIFIC_ATTRIBUTES'
  return IndexName === undefined ? 'ALL_ATTRIBUTES' : 'ALL_PROJECTED_ATTRIBUTES'
}

export function keySchemaOf(
  { tables }: AskedOperation,
  table: TableReference,
  indexName: string | undefined,
): KeySchema | undefined {
  const definition = tables.definitionOf(table, table.tableName)
  if (definition === undefined || indexName === undefined) return definition?.keySchema
  const { globalIndexes, localIndexes } = definition
  return [...globalIndexes, ...localIndexes].find((index) => index.indexName === indexName)?.keySchema
}

interface QueryMembers extends NamingMembers {
  readonly KeyConditions?: Readonly<Record<string, { readonly AttributeValueList?: readonly unknown[] }>>
}

/** The value that a Query asks one attribute of the partition key to equal. */
function askedValue(input: QueryMembers, attribute: string): string {
  const { KeyConditionExpression: text, KeyConditions: legacy } = input
  if (text !== undefined) {
    const scope = new ExpressionScope(input.ExpressionAttributeNames, input.ExpressionAttributeValues)
    const terms = keyTermsOf(compileCondition(text, 'KeyConditionExpression', scope))
    const values = terms.filter((term) => term.attribute === attribute).flatMap((term) => term.values)
    const [value] = values
    return value === undefined || values.length > 1 ? unknownKey : textOfKey(value)
  }
  const asked = legacy !== undefined && Object.hasOwn(legacy, attribute) ? legacy[attribute] : undefined
  const [value, ...others] = asked?.AttributeValueList ?? []
  if (value === undefined || others.length > 0) return unknownKey
  return keyValues([{ [attribute]: value }], attribute)[0] ?? unknownKey
}
