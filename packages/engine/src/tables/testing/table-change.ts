import type { CreateTableInput, UpdateTableInput } from '../../api/table-inputs.ts'
import type { TableDefinition } from '../../definitions/table-definition.ts'
import { changeTableDefinition, type TableChange } from '../change-table-definition.ts'
import { checkTableChange } from '../check-table-change.ts'
import { readTableDefinition } from '../read-table-definition.ts'

export const createdMs = Date.UTC(2026, 0, 2)
export const nowMs = createdMs + 60_000
const scope = { accountId: '123456789012', region: 'eu-west-1' }
export const uuid = (): string => '00000000-0000-4000-8000-000000000000'
export const invalid = 'One or more parameter values were invalid: '

export function table(changes: Partial<CreateTableInput> = {}): TableDefinition {
  let next = 1
  const input: CreateTableInput = {
    TableName: 'music',
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    ...(changes.ProvisionedThroughput === undefined ? { BillingMode: 'PAY_PER_REQUEST' } : {}),
    ...changes,
  }
  const indexIds = (count: number): number[] => Array.from({ length: count }, () => ++next)
  return readTableDefinition(input, { scope, nowMs: createdMs, uuid }).withIds({ tableId: 1, indexIds })
}

export function change(
  definition: TableDefinition,
  input: Omit<UpdateTableInput, 'TableName'>,
  atMs = nowMs,
): TableChange {
  const request = { TableName: 'music', ...input }
  checkTableChange(request)
  return changeTableDefinition(definition, request, {
    scope,
    nowMs: atMs,
    uuid,
    newIndexIds: { indexId: 99, cutId: 100 },
    otherTables: { readUnits: 0, writeUnits: 0 },
  })
}

export const units = (read: number, write = read): { ReadCapacityUnits: number; WriteCapacityUnits: number } => ({
  ReadCapacityUnits: read,
  WriteCapacityUnits: write,
})

export const indexed = (provisioned = false): TableDefinition =>
  table({
    ...(provisioned ? { ProvisionedThroughput: units(5) } : {}),
    GlobalSecondaryIndexes: [
      {
        IndexName: 'gsi',
        KeySchema: [{ AttributeName: 'sk', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
        ...(provisioned ? { ProvisionedThroughput: units(5) } : {}),
      },
    ],
    LocalSecondaryIndexes: [
      {
        IndexName: 'lsi',
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  })

export const updateIndex = (read: number): Omit<UpdateTableInput, 'TableName'> => ({
  GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'gsi', ProvisionedThroughput: units(read) } }],
})

export const create = (IndexName: string, attribute = 'year'): Omit<UpdateTableInput, 'TableName'> => ({
  AttributeDefinitions: [{ AttributeName: attribute, AttributeType: 'N' }],
  GlobalSecondaryIndexUpdates: [
    {
      Create: {
        IndexName,
        KeySchema: [{ AttributeName: attribute, KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    },
  ],
})
