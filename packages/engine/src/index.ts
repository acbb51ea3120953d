export { Engine, type Admit, type Readiness } from './engine.ts'
export type { EngineOptions, MissingTable } from './engine-options.ts'
export type { Dialect } from './api/dialect.ts'
export type { WouldThrottle } from './capacity/would-throttle.ts'
export type { Clock } from './clock.ts'
export { isMetricName, unitOf, type Metric, type MetricName } from './metering/metric-names.ts'
export { addConsumption } from './metering/add-consumption.ts'
export type {
  Consumption,
  ConsumptionResolution,
  Datapoint,
  HotKey,
  KeyRanking,
  Metrics,
  PartitionHeat,
} from './metering/metrics.ts'
export { textOfValue } from './metering/text-of-values.ts'
export { meteredOperations } from './metering/operation-codes.ts'
export { drawUuids } from './randomness.ts'
export type { PartlyAdmittedScope, Scope } from './scope.ts'
export { operationsByTarget, type OperationName, type TargetPrefix } from './api/operations.ts'
export type { Total as MetricTotal } from './metering/metrics.ts'
export type { UntypedInput } from './api/inputs.ts'
export { readInput } from './api/read-input.ts'
export { serviceInputReader, type ReadServiceInput } from './api/read-service-input.ts'
export { inputShapeOf, ShapeBook, type Shape, type StructureShape } from './api/shapes.ts'
export { breathe, type Stopping } from './work/background-work.ts'
export type { KeySchema, TableDefinition, Throughput } from './definitions/table-definition.ts'
export { pageToken, readPageToken } from './records/page-token.ts'
export { RecordSpace, type Page } from './records/record-space.ts'
export type { OpenService, RunServiceOperation, Service } from './services/service.ts'
export type { ServiceHost } from './services/service-host.ts'
export { serviceOperations, type ServiceOperation } from './services/service-operations.ts'
export type { ReadResourcePolicy } from './tables/read-resource-policy.ts'
export type { Conflict, ConflictingWrite } from './replication/conflicts.ts'
export type { Regions } from './replication/regions.ts'
export type { LinkReport, ReplicationReport } from './replication/replication-report.ts'
export { readTableName } from './tables/read-table-name.ts'
export { readSequenceNumber, sequenceNumberOf } from './streams/sequence-number.ts'
export type { StreamReader } from './streams/stream-reader.ts'
export type { TimedRecord } from './streams/read-records.ts'
export type { Lease } from './work/leases.ts'
export { crc32 } from './store/crc32.ts'
export { openLmdbFolder, type LmdbFolder } from './store/lmdb-folder.ts'
export { openLmdbStore } from './store/lmdb-store.ts'
export type { Recovery } from './store/lmdb/recover-folder.ts'
export { ShortSnapshots } from './store/short-snapshots.ts'
export { outdatedSoftware, standingOf, type StoredVersion } from './store/stored-version.ts'
export { StorageError, type StorageProblem } from './store/storage-error.ts'
export { decodeCounters } from './store/counters.ts'
export {
  decodeSequence,
  encodeSequence,
  logEntryKey,
  sequenceAfter,
  sequenceAt,
  sequenceOfKey,
  timeOfSequence,
} from './store/sequence.ts'
export { kinesisPurge, kinesisRecordKey, kinesisRecordRange, kinesisShardKey } from './layout/kinesis-keys.ts'
export type { LoggedChange, LogReader } from './streams/log-reader.ts'
export { steadyAt } from './time/clock-eras.ts'
export { storeUnderneath, unsealedStore } from './layout/unsealed-store.ts'
export { keyPlacement } from './layout/key-placement.ts'
export { BranchError, Branches } from './branches/branches.ts'
export type { BranchDefinition } from './branches/branch-definition.ts'
export { branchChanges, type BranchChange } from './reports/branch-changes.ts'
export { AppliedEffects, type Effect } from './store/effect.ts'
export { readChanges, writeChanges } from './store/lmdb/redo-record.ts'
export type {
  CommittedBatch,
  CompactedStore,
  Decision,
  Following,
  Key,
  KeyChange,
  KeyPlacement,
  MaybePromise,
  OpenSnapshot,
  Range,
  Snapshot,
  Store,
  StoreFault,
  StoreFigure,
  StoreVerification,
  StoreTime,
  Value,
  Write,
} from './store/store.ts'
export { copyStore } from './transfers/copy-store.ts'
export { RawJson, toJsonBytes, toPlain } from './wire/raw-json.ts'
export {
  BucketError,
  type BucketObject,
  type Buckets,
  type Compression,
  type WrittenObject,
} from './transfers/buckets.ts'
export { heatReport } from './reports/heat-report.ts'
export type { HeatReport, PlaceReport, ReportedKey, TableReport } from './reports/heat-report.ts'
export type { OperationReport } from './reports/latency-report.ts'
export type { ReportSource } from './reports/report-source.ts'
export { trafficReport } from './reports/traffic-report.ts'
export type { TrafficReport } from './reports/traffic-report.ts'
