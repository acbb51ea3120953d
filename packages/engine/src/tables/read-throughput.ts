import { validationException } from '@hashrange/core'
import type {
  BillingMode,
  CreateTableInput,
  GlobalSecondaryIndexInput,
  OnDemandThroughputInput,
  ProvisionedThroughputInput,
  WarmThroughputInput,
} from '../api/table-inputs.ts'
import type {
  Billing,
  IndexDefinition,
  OnDemandLimits,
  Throughput,
  WarmThroughput,
} from '../definitions/table-definition.ts'
import { invalidParameter } from './invalid-parameter.ts'

/** The initial throughput of an on-demand table, before it has had any traffic. */
const initialOnDemand: WarmThroughput = { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 4_000 }

export const noThroughput: Throughput = { readUnits: 0, writeUnits: 0, decreasesToday: 0 }

/** The billing mode of a new table, and its throughput. */
export function readBilling(input: CreateTableInput, nowMs: number): Billing {
  const mode = input.BillingMode ?? 'PROVISIONED'
  const provisioned = input.ProvisionedThroughput
  if (mode === 'PAY_PER_REQUEST' && provisioned !== undefined) throw throughputOnDemand()
  if (mode === 'PROVISIONED' && provisioned === undefined) {
    throw invalidParameter(
      'ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED',
    )
  }
  if (provisioned !== undefined) checkThroughputBounds(provisioned)
  checkOnDemandThroughput(input.OnDemandThroughput, mode, { subject: '', rangeSubject: 'table', ending: '.' })
  checkInitialWarmThroughput(input.WarmThroughput, provisioned, 'table')
  return {
    mode,
    throughput: provisioned === undefined ? noThroughput : throughputOf(provisioned),
    warmThroughput: warmThroughputOf(input.WarmThroughput, provisioned),
    ...onDemandLimitsOf(input.OnDemandThroughput),
    ...(mode === 'PAY_PER_REQUEST' ? { lastPayPerRequestAtMs: nowMs } : {}),
  }
}

export type IndexThroughput = Pick<IndexDefinition, 'throughput' | 'onDemandLimits' | 'warmThroughput'>

/** A global index of a new table has provisioned throughput exactly if the table does. */
export function checkGlobalIndexThroughput(index: GlobalSecondaryIndexInput, mode: BillingMode): void {
  const { IndexName, ProvisionedThroughput: provisioned } = index
  if (mode === 'PAY_PER_REQUEST' && provisioned !== undefined) {
    throw invalidParameter(
      `ProvisionedThroughput should not be specified for index: ${IndexName} when BillingMode is PAY_PER_REQUEST`,
    )
  }
  if (mode === 'PROVISIONED' && provisioned === undefined) {
    throw invalidParameter(`ProvisionedThroughput is not specified for index: ${IndexName}`)
  }
  if (provisioned !== undefined) checkThroughputBounds(provisioned, IndexName)
  checkOnDemandThroughput(index.OnDemandThroughput, mode, {
    subject: ` for index: ${IndexName}`,
    rangeSubject: `index : ${IndexName}`,
    ending: '.',
  })
  checkInitialWarmThroughput(index.WarmThroughput, provisioned, `index ${IndexName}`)
}

export function readIndexThroughput(index: GlobalSecondaryIndexInput, mode: BillingMode): IndexThroughput {
  const provisioned = mode === 'PROVISIONED' ? index.ProvisionedThroughput : undefined
  return {
    throughput: provisioned === undefined ? noThroughput : throughputOf(provisioned),
    warmThroughput: warmThroughputOf(index.WarmThroughput, provisioned),
    ...onDemandLimitsOf(index.OnDemandThroughput),
  }
}

export function throughputOnDemand(): Error {
  return invalidParameter(
    'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
  )
}

const capacityUnits = ['ReadCapacityUnits', 'WriteCapacityUnits'] as const

/** Rejects what no table of any account may have; check-quotas.ts rejects what no table of this account may have. */
export function checkThroughputBounds(provisioned: ProvisionedThroughputInput, indexName?: string): void {
  for (const unit of capacityUnits) {
    const value = provisioned[unit]
    if (value <= 1_000_000_000_000) continue
    const subject = indexName === undefined ? '' : ` for index ${indexName}`
    throw validationException(`Given value ${value} for ${unit} is out of bounds${subject}`)
  }
}

/** The service names the table and the index in slightly different ways wherever it reports this. */
export interface OnDemandWording {
  readonly subject: string
  readonly rangeSubject: string
  readonly ending: string
  /** UpdateTable accepts -1 for "no limit any more". */
  readonly mayRemove?: boolean
}

export function checkOnDemandThroughput(
  onDemand: OnDemandThroughputInput | undefined,
  mode: BillingMode,
  wording: OnDemandWording,
): void {
  for (const unit of ['MaxReadRequestUnits', 'MaxWriteRequestUnits'] as const) {
    const value = onDemand?.[unit]
    if (value === undefined) continue
    if (mode === 'PROVISIONED') {
      const table = wording.ending === '.' ? 'table' : 'the table'
      throw invalidParameter(
        `${unit} for OnDemandThroughput${wording.subject} cannot be specified when ${table} BillingMode is PROVISIONED${wording.ending}`,
      )
    }
    if (value >= 1 || (value === -1 && wording.mayRemove === true)) continue
    throw invalidParameter(
      `Requested ${unit} for OnDemandThroughput for ${wording.rangeSubject} is outside of valid range`,
    )
  }
}

/** Limits of -1 are no limits. */
export function onDemandLimitsOf(
  onDemand: OnDemandThroughputInput | undefined,
  previous: OnDemandLimits = {},
): { onDemandLimits?: OnDemandLimits } {
  const maxReadUnits = onDemand?.MaxReadRequestUnits ?? previous.maxReadUnits ?? -1
  const maxWriteUnits = onDemand?.MaxWriteRequestUnits ?? previous.maxWriteUnits ?? -1
  if (maxReadUnits === -1 && maxWriteUnits === -1) return {}
  return {
    onDemandLimits: {
      ...(maxReadUnits === -1 ? {} : { maxReadUnits }),
      ...(maxWriteUnits === -1 ? {} : { maxWriteUnits }),
    },
  }
}

export function throughputOf(provisioned: ProvisionedThroughputInput): Throughput {
  return {
    readUnits: provisioned.ReadCapacityUnits,
    writeUnits: provisioned.WriteCapacityUnits,
    decreasesToday: 0,
  }
}

/** The warm throughput of a table or index: what was requested, but at least what it would be anyway. */
export function warmThroughputOf(
  warm: WarmThroughputInput | undefined,
  provisioned: ProvisionedThroughputInput | undefined,
  previous?: WarmThroughput,
): WarmThroughput {
  const least = leastWarm(provisioned)
  return {
    readUnitsPerSecond: Math.max(
      warm?.ReadUnitsPerSecond ?? 0,
      least.readUnitsPerSecond,
      previous?.readUnitsPerSecond ?? 0,
    ),
    writeUnitsPerSecond: Math.max(
      warm?.WriteUnitsPerSecond ?? 0,
      least.writeUnitsPerSecond,
      previous?.writeUnitsPerSecond ?? 0,
    ),
  }
}

/** The warm throughput of a table or index only ever grows. */
export function assertNotColder(
  warm: WarmThroughputInput | undefined,
  current: WarmThroughput | undefined,
  subject: string,
): void {
  const check = (requested: number | undefined, least: number | undefined, unit: string): void => {
    if (requested === undefined || requested >= (least ?? 0)) return
    throw invalidParameter(
      `Requested ${unit} for WarmThroughput for ${subject} is lower than current WarmThroughput, decreasing WarmThroughput is not supported`,
    )
  }
  check(warm?.ReadUnitsPerSecond, current?.readUnitsPerSecond, 'ReadUnitsPerSecond')
  check(warm?.WriteUnitsPerSecond, current?.writeUnitsPerSecond, 'WriteUnitsPerSecond')
}

function leastWarm(provisioned: ProvisionedThroughputInput | undefined): WarmThroughput {
  if (provisioned === undefined) return initialOnDemand
  return {
    readUnitsPerSecond: provisioned.ReadCapacityUnits,
    writeUnitsPerSecond: provisioned.WriteCapacityUnits,
  }
}

function checkInitialWarmThroughput(
  warm: WarmThroughputInput | undefined,
  provisioned: ProvisionedThroughputInput | undefined,
  subject: string,
): void {
  const least = leastWarm(provisioned)
  const check = (value: number | undefined, minimum: number, unit: string, capacity: string): void => {
    if (value === undefined || value >= minimum) return
    const message = `Requested ${unit} for WarmThroughput for ${subject} is lower than`
    throw invalidParameter(
      provisioned === undefined
        ? `${message} initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial`
        : `${message} ${capacity} of ProvisionedThroughput`,
    )
  }
  check(warm?.ReadUnitsPerSecond, least.readUnitsPerSecond, 'ReadUnitsPerSecond', 'ReadCapacityUnits')
  check(warm?.WriteUnitsPerSecond, least.writeUnitsPerSecond, 'WriteUnitsPerSecond', 'WriteCapacityUnits')
}
