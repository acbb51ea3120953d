import { isRecord } from '../api/is-record.ts'
import { decodeRow } from '../metering/stored-row.ts'
import { resolutions } from '../metering/resolutions.ts'
import { keySpace } from '../layout/key-space.ts'
import { metricsWriterBytes, readMetricsKey } from '../layout/metering-keys.ts'
import type { Key, Value } from '../store/store.ts'
import { isClockRecord } from '../time/clock-record.ts'

/** What is wrong with an entry of one of the smaller spaces; undefined if nothing is. */
export type EntryCheck = (key: Key, value: Value) => string | undefined

/** The spaces whose entries can be checked one by one, without comparing them with anything. */
export const plainSpaces: ReadonlyMap<number, EntryCheck> = new Map<number, EntryCheck>([
  [
    keySpace.catalogVersion,
    (key, value) => wrong(key.length !== 1 || !isCounters(value, 1), 'It is not a counter.'),
  ],
  [
    keySpace.lease,
    (key, value) => wrong(key.length < 2 || !/^\S+ \d+$/.test(value.toString('utf8')), 'It is not a lease.'),
  ],
  [keySpace.clock, (key, value) => wrong(key.length !== 1 || !isClockRecord(jsonOf(value)), 'It cannot be read.')],
  [keySpace.progress, (key, value) => wrong(key.length !== 5 || !isRecord(jsonOf(value)), 'It cannot be read.')],
  [keySpace.replicationCursor, cursorProblem],
  [
    keySpace.regionConditions,
    (key, value) => wrong(key.length !== 1 || !isRecord(jsonOf(value)), 'It cannot be read.'),
  ],
  [keySpace.missedWrite, missedProblem],
  [keySpace.conflict, (key, value) => wrong(key.length !== 21 || !isRecord(jsonOf(value)), 'It cannot be read.')],
  [keySpace.exportJob, named(3, ['accountId', 'region', 'id'], ['status'])],
  [keySpace.importJob, named(3, ['accountId', 'region', 'id'], ['status'])],
  [keySpace.exportToken, named(3, [], ['id', 'digest'])],
  [keySpace.importToken, named(3, [], ['id', 'digest'])],
  [keySpace.metrics, metricsProblem],
  [keySpace.partitionModel, modelProblem],
  [
    keySpace.capacityReport,
    (key, value) => wrong(key.length !== 13 || !isRecord(jsonOf(value)), 'It cannot be read.'),
  ],
  [keySpace.customMetric, named(5, ['namespace', 'metricName'])],
  [keySpace.customPeriod, named(4, ['id'])],
  [keySpace.scalableTarget, named(4, ['resourceId', 'dimension'], ['id'])],
  [keySpace.scalingPolicy, named(5, ['resourceId', 'dimension', 'policyName'], ['id'])],
  [keySpace.scheduledAction, named(5, ['resourceId', 'dimension', 'name'], ['id'])],
  [keySpace.scalingActivity, named(4, ['id'], ['resourceId', 'dimension'])],
  [keySpace.alarm, named(3, ['name'])],
  [keySpace.alarmHistory, named(5, ['alarmName', 'id'])],
  [keySpace.contributorInsights, named(4, ['tableName'])],
  [keySpace.stack, named(4, ['name', 'uid'])],
  [keySpace.stackChangeSet, named(5, ['stackName', 'stackUid', 'name'])],
  [keySpace.stackEvent, named(4, ['stackUid', 'order'])],
  [keySpace.stackOperation, named(4, ['name', 'uid'])],
  [keySpace.stackAsset, named(4, ['bucket'])],
  [keySpace.identity, named(4, ['kind', 'name'])],
  [keySpace.kinesisStream, named(3, ['name'])],
  [keySpace.kinesisConsumer, named(4, ['streamName', 'name'])],
  [keySpace.kinesisDestination, named(4, ['tableName', 'streamArn'])],
  [keySpace.changeFeed, named(3, ['name'])],
  [keySpace.pipe, named(3, ['name'])],
  [keySpace.httpEndpoint, named(4, ['kind', 'name'])],
  [
    keySpace.kinesisShard,
    (key, value) => wrong(key.length !== 9 || value.length !== 10 || value[0] !== 1, 'It cannot be read.'),
  ],
  [
    keySpace.kinesisRecord,
    (key, value) => wrong(key.length !== 17 || value.length < 13 || value[0] !== 1, 'It cannot be read.'),
  ],
  [keySpace.daxAttributeList, named(3, ['id'])],
  [keySpace.lambdaFunction, named(3, ['name'])],
  [keySpace.lambdaCode, named(5, ['name'], ['bytes'])],
  [keySpace.eventSourceMapping, named(3, ['uuid'])],
  [keySpace.shardProgress, named(4, ['mapping', 'shardId'])],
])

/** The spaces whose keys continue with an identifier. */
export const spacesWithIds = [
  keySpace.progress,
  keySpace.item,
  keySpace.indexEntry,
  keySpace.collection,
  keySpace.counts,
  keySpace.itemExpiry,
  keySpace.itemStamp,
  keySpace.tombstone,
  keySpace.replicationCursor,
  keySpace.conflict,
  keySpace.missedWrite,
  keySpace.changeLog,
  keySpace.keptItem,
  keySpace.partitionModel,
] as const

/** Either what a strongly consistent replica is waiting for, or a write that it has missed. */
function missedProblem(key: Key, value: Value): string | undefined {
  if (key.length > 5) return wrong(value.length !== 1, 'It cannot be read.')
  return wrong(!isRecord(jsonOf(value)), 'It cannot be read.')
}

/** A JSON record whose key has this many parts, separated by zero bytes. It has the members `inKey`, which are also
 *  in the key, and the members `others`. */
function named(parts: number, inKey: readonly string[], others: readonly string[] = []): EntryCheck {
  return (key, value) => {
    const found = Buffer.from(key.subarray(1)).toString('utf8').split('\0')
    if (found.length !== parts) return 'Its key does not have the parts that it should have.'
    const raw = jsonOf(value)
    if (!isRecord(raw)) return 'It cannot be read.'
    const missing = [...inKey, ...others].find((name) => typeof raw[name] !== 'string')
    if (missing !== undefined) return `Its ${missing} is missing.`
    const misplaced = inKey.find((name) => !found.includes(String(raw[name])))
    return misplaced === undefined ? undefined : `Its ${misplaced} is not the one in its key.`
  }
}

function cursorProblem(key: Key, value: Value): string | undefined {
  const raw = jsonOf(value)
  const positions = isRecord(raw) ? raw['positions'] : undefined
  const isCursor =
    key.length > 5 &&
    isRecord(positions) &&
    Object.values(positions).every((sequence) => typeof sequence === 'string' && /^\d{1,20}$/.test(sequence))
  return wrong(!isCursor, 'It cannot be read.')
}

function metricsProblem(key: Key, value: Value): string | undefined {
  const resolution = resolutions.find(({ code }) => code === key[1])
  if (resolution === undefined || key.length < 2 + 4 + 4 + metricsWriterBytes) return 'Its key names no period.'
  const { startSeconds } = readMetricsKey(key)
  if ((startSeconds * 1000) % resolution.periodMs !== 0) return 'Its key names no period.'
  try {
    decodeRow(value)
    return undefined
  } catch {
    return 'It cannot be read.'
  }
}

function modelProblem(key: Key, value: Value): string | undefined {
  const raw = jsonOf(value)
  const isModel =
    key.length === 5 &&
    isRecord(raw) &&
    Array.isArray(raw['boundaries']) &&
    isRecord(raw['read']) &&
    isRecord(raw['write'])
  return wrong(!isModel, 'It cannot be read.')
}

function isCounters(value: Value, atLeast: number): boolean {
  if (value.length < atLeast * 8 || value.length % 8 !== 0) return false
  for (let at = 0; at < value.length; at += 8) if (!Number.isFinite(value.readDoubleBE(at))) return false
  return true
}

function jsonOf(value: Value): unknown {
  try {
    return JSON.parse(value.toString('utf8'))
  } catch {
    return undefined
  }
}

function wrong(isWrong: boolean, problem: string): string | undefined {
  return isWrong ? problem : undefined
}
