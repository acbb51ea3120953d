/** The quantities of the model, as the service has published them; docs/decisions/0008-capacity.md says where. */
export const partitionLimits = {
  readUnitsPerSecond: 3_000,
  writeUnitsPerSecond: 1_000,
  sizeBytes: 10 * 2 ** 30,
  /** How much unused provisioned throughput is saved up. */
  burstSeconds: 300,
  /** Tables on demand take twice their previous peak, after so long. */
  doublingMs: 30 * 60_000,
  /** A partition is divided after so many minutes in a row in which it took nearly all it can. */
  hotMinutes: 5,
  hotShare: 0.8,
  /** A division must take at least this share of the heat away, or it would not help. */
  leastShare: 1 / 8,
  /** The most a table on demand takes unless the account's quota is raised. */
  accountUnitsPerTable: 40_000,
} as const

export type Side = 'read' | 'write'

export function partitionUnitsPerSecond(side: Side): number {
  return side === 'read' ? partitionLimits.readUnitsPerSecond : partitionLimits.writeUnitsPerSecond
}

/** How many partitions a provisioned table has to begin with: the service's published formula. */
export function provisionedPartitions(readUnits: number, writeUnits: number): number {
  return Math.max(
    1,
    Math.ceil(readUnits / partitionLimits.readUnitsPerSecond + writeUnits / partitionLimits.writeUnitsPerSecond),
  )
}

/** How many partitions can serve so much at once. */
export function partitionsFor(readUnits: number, writeUnits: number): number {
  return Math.max(
    1,
    Math.ceil(readUnits / partitionLimits.readUnitsPerSecond),
    Math.ceil(writeUnits / partitionLimits.writeUnitsPerSecond),
  )
}
