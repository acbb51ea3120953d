export { Engine } from './engine.ts'
export type { EngineOptions, MissingTable } from './engine-options.ts'
export type { Dialect } from './api/dialect.ts'
export { throttlingTag, type Throttling } from './partitions/throttling.ts'
export type { WouldThrottle } from './capacity/would-throttle.ts'
export type { Clock } from './clock.ts'
export type { EventualConsistency } from './consistency/eventual-consistency.ts'
export {
  isMetricName,
  metricNames,
  unitOf,
  type Metric,
  type MetricDimensions,
  type MetricName,
  type MetricUnit,
} from './metering/metric-names.ts'
export type {
  Consumption,
  ConsumptionResolution,
  Datapoint,
  Heat,
  HotKey,
  KeyRanking,
  KeyRangePeriod,
  KeyRangesRequest,
  KeyRangeUse,
  Metrics,
  PartitionHeat,
  TopKeysRequest,
  Total,
} from './metering/metrics.ts'
export { textOfValue } from './metering/text-of-values.ts'
export { meteredOperations } from './metering/operation-codes.ts'
export { drawUuids, type Randomness } from './randomness.ts'
export type { Scope } from './scope.ts'
export { operationsByTarget, type OperationName, type TargetPrefix } from './api/operations.ts'
export type { Total as MetricTotal } from './metering/metrics.ts'
export type { UntypedInput } from './api/inputs.ts'
export { readInput } from './api/read-input.ts'
export { serviceInputReader, type CheckFirst, type ReadServiceInput } from './api/read-service-input.ts'
export { inputShapeOf, ShapeBook, type Shape, type StructureShape } from './api/shapes.ts'
export { breathe, type Stopping } from './work/background-work.ts'
export type { KeySchema, TableDefinition, Throughput } from './definitions/table-definition.ts'
export { pageToken, readPageToken } from './records/page-token.ts'
export type { Page, RecordSpace } from './records/record-space.ts'
export type { OpenService, RunServiceOperation, Service, ServiceOperations } from './services/service.ts'
export type { ServiceBackground, ServiceHost } from './services/service-host.ts'
export { serviceOperations, type ServiceOperation } from './services/service-operations.ts'
export { readTableName } from './tables/read-table-name.ts'
export { crc32 } from './store/crc32.ts'
export { openLmdbFolder, type LmdbFolder } from './store/lmdb-folder.ts'
export { openLmdbStore, type LmdbOptions } from './store/lmdb-store.ts'
export type { Recovery } from './store/lmdb/recover-folder.ts'
export { ShortSnapshots } from './store/short-snapshots.ts'
export { StorageError, type StorageErrorCode, type StorageProblem } from './store/storage-error.ts'
export { decodeCounters, encodeCounters } from './store/counters.ts'
export { logEntryKey, sequenceAfter, sequenceAt, sequenceOfKey, timeOfSequence } from './store/sequence.ts'
export { keyPlacement } from './layout/key-placement.ts'
export { AppliedEffects, effectOfAll, type Effect } from './store/effect.ts'
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
  StoreCompaction,
  StoreFault,
  StoreFigure,
  StoreVerification,
  StoreTime,
  Value,
  Write,
} from './store/store.ts'
export { copyStore, type CopiedStore, type CopyStoreOptions } from './transfers/copy-store.ts'
export { RawJson, toJsonBytes, toPlain } from './wire/raw-json.ts'
export {
  BucketError,
  type BucketErrorCode,
  type BucketObject,
  type Buckets,
  type Compression,
  type WrittenObject,
} from './transfers/buckets.ts'
export { heatReport } from './reports/heat-report.ts'
export type { AccountReport, HeatReport, PlaceReport, ReportedKey, TableReport } from './reports/heat-report.ts'
export type { OperationReport } from './reports/latency-report.ts'
export type { ReportSource } from './reports/report-source.ts'
export { trafficReport } from './reports/traffic-report.ts'
export type { PlaceTraffic, TableTraffic, TrafficReport, TrafficRequest } from './reports/traffic-report.ts'
