import { limits } from '@hashrange/core'

/** Capacity units consumed on a table and on each of its indexes, by name. Vector indexes are charged by the byte. */
export interface Units {
  readonly table: number
  readonly local: ReadonlyMap<string, number>
  readonly global: ReadonlyMap<string, number>
  readonly vector: ReadonlyMap<string, number>
}

const none: ReadonlyMap<string, number> = new Map()

export function tableUnits(table: number, vector = none): Units {
  return { table, local: none, global: none, vector }
}

export function indexUnits(kind: 'local' | 'global', indexName: string, units: number, table = 0): Units {
  const index = new Map([[indexName, units]])
  return kind === 'local'
    ? { table, local: index, global: none, vector: none }
    : { table, local: none, global: index, vector: none }
}

export function addUnits(left: Units, right: Units): Units {
  return {
    table: left.table + right.table,
    local: addMaps(left.local, right.local),
    global: addMaps(left.global, right.global),
    vector: addMaps(left.vector, right.vector),
  }
}

export function totalUnits(units: Units): number {
  let total = units.table
  for (const amount of units.local.values()) total += amount
  for (const amount of units.global.values()) total += amount
  return total
}

/** What a table itself is charged: its local indexes have no capacity of their own. */
export function unitsOfTable({ table, local }: Units): number {
  let units = table
  for (const amount of local.values()) units += amount
  return units
}

export function writeUnits(sizeBytes: number): number {
  return Math.max(1, Math.ceil(sizeBytes / limits.writeUnitBytes))
}

export function readUnits(sizeBytes: number, consistent: boolean): number {
  return Math.max(1, Math.ceil(sizeBytes / limits.readUnitBytes)) * (consistent ? 1 : 0.5)
}

function addMaps(
  left: ReadonlyMap<string, number>,
  right: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  if (right.size === 0) return left
  if (left.size === 0) return right
  const sum = new Map(left)
  for (const [name, amount] of right) sum.set(name, (sum.get(name) ?? 0) + amount)
  return sum
}
