/** The numbers of the model, as the service has published them; docs/decisions/0008-capacity.md says where. */
export const partitionLimits = {
  readUnitsPerSecond: 3_000,
  writeUnitsPerSecond: 1_000,
  sizeBytes: 10 * 2 ** 30,
  /** How much unused provisioned throughput is kept as burst capacity. */
  burstSeconds: 300,
  /** On-demand tables can take twice their previous peak, after this time. */
  doublingMs: 30 * 60_000,
  /** A partition is split after this many minutes in a row with nearly full use. */
  hotMinutes: 5,
  hotShare: 0.8,
  /** A split must take away at least this share of the heat to be useful. */
  leastShare: 1 / 8,
  /** The most an on-demand table can take unless the account's quota is raised. */
  accountUnitsPerTable: 40_000,
} as const

export type Side = 'read' | 'write'

export function partitionUnitsPerSecond(side: Side): number {
  return side === 'read' ? partitionLimits.readUnitsPerSecond : partitionLimits.writeUnitsPerSecond
}

/** How many partitions a provisioned table starts with: the service's published formula. */
export function provisionedPartitions(readUnits: number, writeUnits: number): number {
  return Math.max(
    1,
    Math.ceil(readUnits / partitionLimits.readUnitsPerSecond + writeUnits / partitionLimits.writeUnitsPerSecond),
  )
}

/** How many partitions can serve this much at once. */
export function partitionsFor(readUnits: number, writeUnits: number): number {
  return Math.max(
    1,
    Math.ceil(readUnits / partitionLimits.readUnitsPerSecond),
    Math.ceil(writeUnits / partitionLimits.writeUnitsPerSecond),
  )
}
