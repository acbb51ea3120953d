/** A value of a file, as JSON has it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

export type JsonObject = { readonly [name: string]: Json }

/** A table as a file declares it: what the API's own operations take. */
export interface TableDesign {
  readonly name: string
  /** Where it is declared, for messages: `OrdersTable in template.yaml`. */
  readonly origin: string
  /** The input of CreateTable. */
  readonly create: JsonObject & { readonly TableName: string }
  readonly timeToLiveAttribute?: string | undefined
  /** Days that one can go back; nothing where it is off. */
  readonly recoveryDays?: number | undefined
  readonly insights: boolean
  /** As its JSON. */
  readonly resourcePolicy?: string | undefined
  /** Where its changes are sent besides its own stream. */
  readonly kinesisStreamArn?: string | undefined
  /** The capacity that auto scaling decides about: `partOf` its table or index. */
  readonly scaled?: ReadonlySet<string> | undefined
  /** Where the file decides about its replicas. Those of other tables are left alone. */
  readonly global?: GlobalDesign | undefined
}

/** A table in several regions. */
export interface GlobalDesign {
  /** Where the table itself is. It is in `TableDesign`, and the replicas are filled from it. */
  readonly region: string
  /** How its capacity scales there. Without it, scaling is declared elsewhere. */
  readonly scaling?: readonly ScalingDesign[]
  /** In the other regions. */
  readonly replicas: readonly ReplicaDesign[]
  readonly isStrong: boolean
  /** The region that has no items, of a strongly consistent table with two replicas. */
  readonly witness?: string | undefined
}

export interface ReplicaDesign {
  readonly region: string
  /** The table there. It only counts where replicas may differ. */
  readonly table: TableDesign
  readonly scaling?: readonly ScalingDesign[]
}

export type CapacityUnits = 'ReadCapacityUnits' | 'WriteCapacityUnits'

/** How the capacity of a table or an index scales. */
export interface ScalingDesign {
  /** Empty for the table itself. */
  readonly indexName: string
  readonly units: CapacityUnits
  readonly minimum: number
  readonly maximum: number
  /** `TargetValue`, cooldowns and `DisableScaleIn` of a target tracking policy. */
  readonly tracking: JsonObject
}

/** The reads or writes of a table, or of an index. */
export function partOf(indexName: string, units: string): string {
  return `${indexName}:${units}`
}

/** What is not a table, in the names of CloudFormation. */
export interface ResourceDesign {
  readonly name: string
  /** Where it is declared, for messages. */
  readonly origin: string
  readonly type: string
  readonly properties: JsonObject
}

/** What is known besides the file. */
export interface ReadOptions {
  /** Of CloudFormation, SAM, and `param` of the Serverless Framework. */
  readonly parameters?: ReadonlyMap<string, string> | undefined
  /** `AWS::StackName`, which begins the names of tables that have none. */
  readonly stack?: string | undefined
  readonly stage?: string | undefined
  readonly region: string
  readonly accountId: string
}

/** What is wrong with a file, in a sentence. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

/** A value as a text: numbers and flags as they are written, the rest as JSON. */
export function plainText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
