import { totalUnits, type Units } from './units.ts'

export type ReturnConsumedCapacity = 'INDEXES' | 'TOTAL' | 'NONE'

export interface Capacity {
  readonly CapacityUnits: number
  readonly ReadCapacityUnits?: number
  readonly WriteCapacityUnits?: number
}

export interface ConsumedCapacity extends Capacity {
  readonly TableName: string
  readonly Table?: Capacity
  readonly LocalSecondaryIndexes?: Readonly<Record<string, Capacity>>
  readonly GlobalSecondaryIndexes?: Readonly<Record<string, Capacity>>
}

/** How amounts are shown: transactions also say whether the units were for reading or for writing. */
export type CapacityDetail = 'plain' | 'read' | 'write'

export function consumedCapacity(
  wanted: ReturnConsumedCapacity | undefined,
  tableName: string,
  units: Units,
  detail: CapacityDetail = 'plain',
): ConsumedCapacity | undefined {
  if (wanted === undefined || wanted === 'NONE') return undefined
  const total = { TableName: tableName, ...capacity(totalUnits(units), detail) }
  if (wanted === 'TOTAL') return total
  return {
    ...total,
    Table: capacity(units.table, detail),
    ...(units.local.size > 0 && { LocalSecondaryIndexes: byName(units.local, detail) }),
    ...(units.global.size > 0 && { GlobalSecondaryIndexes: byName(units.global, detail) }),
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

function byName(units: ReadonlyMap<string, number>, detail: CapacityDetail): Record<string, Capacity> {
  return Object.fromEntries([...units].map(([name, amount]) => [name, capacity(amount, detail)]))
}
