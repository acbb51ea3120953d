import { breathe, StorageError, type Lease, type Scope } from '@hashrange/engine'
import { cursorFromNow, nextBatches, type LogCursor } from '../changes/log-cursor.ts'
import type { Kinesis } from '../kinesis.ts'
import type { Failures } from './failures.ts'
import { hasStream, putEvents } from './put-events.ts'
import { destinationEvent } from '../destinations/destination-event.ts'
import { destinationHolder, isDelivering, type DestinationRecord } from '../destinations/destination-record.ts'

/** What is put in one request. */
const changesAtOnce = 500

/** Takes every destination one step further; returns whether there was anything to do. */
export async function deliverDestinations(kinesis: Kinesis, lease: Lease, failures: Failures): Promise<boolean> {
  let isBusy = false
  for (const { scope, record } of await kinesis.destinations.records.all()) {
    if (lease.aborted) return false
    if (isDelivering(record) && (await deliver(kinesis, scope, record, lease, failures))) isBusy = true
    await breathe()
  }
  return isBusy
}

/** A destination that cannot be reached waits, and does not hold up the others. */
async function deliver(
  kinesis: Kinesis,
  scope: Scope,
  record: DestinationRecord,
  lease: Lease,
  failures: Failures,
): Promise<boolean> {
  const name = `${scope.accountId}/${scope.region}/${record.tableName}/${record.streamArn}`
  if (failures.mustWait(name)) return false
  try {
    const isBusy = await step(kinesis, scope, record, lease)
    failures.forget(name)
    return isBusy
  } catch (error) {
    if (error instanceof StorageError || lease.aborted) throw error
    failures.note(name, error)
    return false
  }
}

async function step(kinesis: Kinesis, scope: Scope, record: DestinationRecord, lease: Lease): Promise<boolean> {
  const { tableName, streamArn } = record
  const table = await kinesis.logs.table(scope, tableName)
  if (table?.tableId !== record.tableId) {
    await kinesis.destinations.records.change(scope, [tableName, streamArn], () => undefined)
    return true
  }
  if (record.status === 'ENABLING') return enable(kinesis, scope, record, lease)
  const cursor = record.cursor ?? (await cursorFromNow(kinesis.logs, table))
  const batches = await nextBatches(kinesis.logs, table, cursor, changesAtOnce)
  for (const batch of batches) {
    if (lease.aborted) return false
    const events = batch.changes.map((change) => destinationEvent(table, change, record.precision))
    if (events.length > 0) await putEvents(kinesis, scope, streamArn, events)
    // A crash before this delivers the batch once more.
    await advance(kinesis, scope, record, lease, batch.cursor)
  }
  if (record.status === 'UPDATING') await setStatus(kinesis, scope, record, lease, 'ACTIVE')
  if (record.status === 'DISABLING' && batches.every(({ changes }) => changes.length === 0)) {
    await disable(kinesis, scope, record, lease)
  }
  return batches.length > 0 || record.status !== 'ACTIVE'
}

async function enable(kinesis: Kinesis, scope: Scope, record: DestinationRecord, lease: Lease): Promise<boolean> {
  const isThere = await hasStream(kinesis, scope, record.streamArn)
  if (!isThere) {
    await release(kinesis, scope, record)
    await update(kinesis, scope, record, lease, (current) => ({
      ...withoutCursor(current),
      status: 'ENABLE_FAILED',
      statusDescription: 'User does not have a permission to use kinesis stream',
    }))
    return true
  }
  await setStatus(kinesis, scope, record, lease, 'ACTIVE')
  return true
}

async function disable(kinesis: Kinesis, scope: Scope, record: DestinationRecord, lease: Lease): Promise<void> {
  await release(kinesis, scope, record)
  await update(kinesis, scope, record, lease, (current) => ({
    ...withoutCursor(current),
    status: 'DISABLED',
  }))
}

/** One destination at a time delivers the changes of a table: the log is no longer needed. */
async function release(kinesis: Kinesis, scope: Scope, { tableName }: DestinationRecord): Promise<void> {
  await kinesis.logs.hold(scope, tableName, destinationHolder, false)
}

function setStatus(
  kinesis: Kinesis,
  scope: Scope,
  record: DestinationRecord,
  lease: Lease,
  status: DestinationRecord['status'],
): Promise<void> {
  return update(kinesis, scope, record, lease, (current) =>
    current.status === record.status ? { ...current, status } : current,
  )
}

function advance(
  kinesis: Kinesis,
  scope: Scope,
  record: DestinationRecord,
  lease: Lease,
  cursor: LogCursor,
): Promise<void> {
  return update(kinesis, scope, record, lease, (current) => ({ ...current, cursor }))
}

/** Changes a destination if this server still has the work, and the destination is still the same. */
async function update(
  { destinations: { records } }: Kinesis,
  scope: Scope,
  { tableName, streamArn, tableId }: DestinationRecord,
  lease: Lease,
  change: (current: DestinationRecord) => DestinationRecord,
): Promise<void> {
  const parts = [tableName, streamArn]
  await lease.transact([records.key(scope, parts)], ([value]) => {
    const current = records.decode(value)
    if (current?.tableId !== tableId) return { writes: [], answer: undefined }
    return { writes: [records.put(scope, parts, change(current))], answer: undefined }
  })
}

/** What remains of a destination that delivers nothing. The precision is forgotten, as on AWS. */
function withoutCursor(record: DestinationRecord): Omit<DestinationRecord, 'cursor' | 'precision'> {
  const { cursor: _, precision: __, ...rest } = record
  return rest
}
