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
  /** Whether auto scaling decides about its capacity, and that of which indexes. */
  readonly scaled?: ReadonlySet<string> | undefined
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
