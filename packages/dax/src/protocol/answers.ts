import type { AttributeValue, Item } from '@hashrange/core'
import { writeAttributeValue } from '../wire/attribute-values.ts'
import { CborWriter } from '../wire/cbor-writer.ts'

/** The members of answers. */
export const answerMember = {
  item: 0,
  consumedCapacity: 1,
  attributes: 2,
  itemCollectionMetrics: 3,
  items: 7,
  count: 8,
  lastEvaluatedKey: 9,
  scannedCount: 10,
} as const

export interface Capacity {
  readonly CapacityUnits?: number
  readonly ReadCapacityUnits?: number
  readonly WriteCapacityUnits?: number
}

export interface ConsumedCapacity extends Capacity {
  readonly TableName: string
  readonly Table?: Capacity
  readonly GlobalSecondaryIndexes?: Readonly<Record<string, Capacity>>
  readonly LocalSecondaryIndexes?: Readonly<Record<string, Capacity>>
}

export interface ItemCollectionMetrics {
  readonly ItemCollectionKey: Item
  readonly SizeEstimateRangeGB: readonly number[]
}

/** An answer begins with a list of error codes; an empty one says that there was no error. */
export function success(): CborWriter {
  return new CborWriter().list(0)
}

/** An answer whose members are written by `write`; null if there are none. */
export function memberAnswer(members: readonly (readonly [number, Buffer])[]): Buffer {
  const writer = success()
  if (members.length === 0) return writer.null().take()
  // Without a length: the client for Java reads the answers to writes only in this form.
  writer.beginMap()
  for (const [member, bytes] of members) writer.integer(member).raw(bytes)
  return writer.end().take()
}

/** As a member of an answer about one table, and in the lists of batches. */
export function capacityBytes(capacity: ConsumedCapacity): Buffer {
  const writer = new CborWriter().text(capacity.TableName).double(capacity.CapacityUnits ?? 0)
  if (capacity.Table === undefined) writer.null()
  else writer.double(capacity.Table.CapacityUnits ?? 0)
  for (const indexes of [capacity.GlobalSecondaryIndexes, capacity.LocalSecondaryIndexes]) {
    if (indexes === undefined) {
      writer.null()
      continue
    }
    const entries = Object.entries(indexes)
    writer.map(entries.length)
    for (const [name, { CapacityUnits = 0 }] of entries) writer.text(name).double(CapacityUnits)
  }
  return new CborWriter().bytes(writer.take()).take()
}

/** As transactions send it. */
export function writeCapacities(writer: CborWriter, capacities: readonly ConsumedCapacity[] = []): void {
  writer.list(capacities.length)
  for (const capacity of capacities) {
    writer.beginMap()
    writeUnits(writer, capacity)
    writer.integer(4).text(capacity.TableName)
    if (capacity.Table !== undefined) writeUnits(writer.integer(5).beginMap(), capacity.Table).end()
    writeIndexes(writer, 6, capacity.GlobalSecondaryIndexes)
    writeIndexes(writer, 7, capacity.LocalSecondaryIndexes)
    writer.end()
  }
}

function writeIndexes(
  writer: CborWriter,
  member: number,
  indexes: ConsumedCapacity['LocalSecondaryIndexes'],
): void {
  if (indexes === undefined) return
  const entries = Object.entries(indexes)
  writer.integer(member).map(entries.length)
  for (const [name, capacity] of entries) writeUnits(writer.text(name).beginMap(), capacity).end()
}

function writeUnits(writer: CborWriter, capacity: Capacity): CborWriter {
  const { CapacityUnits, ReadCapacityUnits, WriteCapacityUnits } = capacity
  for (const [position, units] of [CapacityUnits, ReadCapacityUnits, WriteCapacityUnits].entries()) {
    if (units !== undefined) writer.integer(position + 1).double(units)
  }
  return writer
}

export function metricsBytes({ ItemCollectionKey, SizeEstimateRangeGB }: ItemCollectionMetrics): Buffer {
  const writer = new CborWriter()
  for (const value of Object.values<AttributeValue>(ItemCollectionKey)) writeAttributeValue(writer, value)
  for (const size of SizeEstimateRangeGB) writer.double(size)
  return new CborWriter().bytes(writer.take()).take()
}

export function writeMetricsByTable(
  writer: CborWriter,
  metrics: Readonly<Record<string, readonly ItemCollectionMetrics[]>> = {},
): void {
  const entries = Object.entries(metrics)
  writer.map(entries.length)
  for (const [table, ofTable] of entries) {
    writer.text(table).list(ofTable.length)
    for (const one of ofTable) writer.raw(metricsBytes(one))
  }
}
