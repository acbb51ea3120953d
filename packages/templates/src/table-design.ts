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
}

/** What files declare. */
export interface Declared {
  readonly tables: readonly TableDesign[]
  /** What is not a table: it is left to AWS. */
  readonly skipped: readonly Skipped[]
  /** Tables that cannot be made from the file alone, and why. */
  readonly problems: readonly string[]
}

export interface Skipped {
  readonly name: string
  readonly type: string
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
