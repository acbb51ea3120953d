import { totalUnits, type Units } from './units.ts'

export type ReturnConsumedCapacity = 'INDEXES' | 'TOTAL' | 'NONE'

export interface Capacity {
  readonly CapacityUnits: number
  readonly ReadCapacityUnits?: number | undefined
  readonly WriteCapacityUnits?: number | undefined
}

export interface VectorCapacity {
  readonly VectorWriteRequestBytes: number
}

export interface ConsumedCapacity extends Capacity {
  readonly TableName: string
  readonly Table: Capacity | undefined
  readonly LocalSecondaryIndexes: Readonly<Record<string, Capacity>> | undefined
  readonly GlobalSecondaryIndexes: Readonly<Record<string, Capacity>> | undefined
  readonly VectorIndexes: Readonly<Record<string, VectorCapacity>> | undefined
}

/** How amounts are shown: transactions also say whether the units were for reading or for writing. */
export type CapacityDetail = 'plain' | 'read' | 'write'

/** `tableName` is the name or the ARN by which the request names the table; the response uses the same. */
export function consumedCapacity(
  wanted: ReturnConsumedCapacity | undefined,
  tableName: string,
  units: Units,
  detail: CapacityDetail = 'plain',
): ConsumedCapacity | undefined {
  if (wanted === undefined || wanted === 'NONE') return undefined
  const total = totalUnits(units)
  const byIndex = wanted === 'INDEXES'
  return {
    TableName: tableName,
    CapacityUnits: total,
    ReadCapacityUnits: detail === 'read' ? total : undefined,
    WriteCapacityUnits: detail === 'write' ? total : undefined,
    Table: byIndex ? capacity(units.table, detail) : undefined,
    LocalSecondaryIndexes: byIndex && units.local.size > 0 ? byName(units.local, detail) : undefined,
    GlobalSecondaryIndexes: byIndex && units.global.size > 0 ? byName(units.global, detail) : undefined,
    VectorIndexes: byIndex && units.vector.size > 0 ? vectorsByName(units.vector) : undefined,
  }
}

function capacity(units: number, detail: CapacityDetail): Capacity {
  switch (detail) {
    case 'plain':
      return { CapacityUnits: units }
    case 'read':
      return { CapacityUnits: units, ReadCapacityUnits: units }
    case 'write':
      return { CapacityUnits: units, WriteCapacityUnits: units }
  }
}

function vectorsByName(bytes: ReadonlyMap<string, number>): Record<string, VectorCapacity> {
  return Object.fromEntries([...bytes].map(([name, amount]) => [name, { VectorWriteRequestBytes: amount }]))
}

function byName(units: ReadonlyMap<string, number>, detail: CapacityDetail): Record<string, Capacity> {
  return Object.fromEntries([...units].map(([name, amount]) => [name, capacity(amount, detail)]))
}
