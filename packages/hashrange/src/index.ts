export type { Database, ListeningServer } from './database.ts'
export type { ApplyOptions } from './apply/apply-files.ts'
export type { ClientConfig } from './client-config.ts'
export type { InProcessHandler, SdkHttpRequest, SdkHttpResponse } from './in-process-handler.ts'
export type { HashrangeConfig } from './config/read-config.ts'
export type {
  DynamoDBStreamEvent,
  DynamoDBStreamRecord,
  Trigger,
  TriggerHandler,
  TriggerOptions,
} from './triggers/trigger-options.ts'
export { open } from './open.ts'
export type { RegionAccess } from './region-access.ts'
export type { OpenOptions } from './open-options.ts'
export type { CapacityOptions } from './capacity-options.ts'
export { ServiceError } from '@hashrange/core'
export { StorageError } from '@hashrange/engine'
export type { Clock, Conflict, ConflictingWrite, OperationName, Regions, WouldThrottle } from '@hashrange/engine'
