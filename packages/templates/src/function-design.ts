import type { JsonObject } from './table-design.ts'

/** A function as a file declares it, with the changes of tables that it is called for. */
export interface FunctionDesign {
  readonly name: string
  /** Where it is declared, for messages: `OnOrder in template.yaml`. */
  readonly origin: string
  readonly packageType: 'Zip' | 'Image'
  /** The folder or zip file with its code; nothing where the code is not on this machine. */
  readonly codePath?: string | undefined
  /** The code itself, where the file has it. */
  readonly inlineCode?: string | undefined
  readonly handler: string
  readonly runtime: string
  readonly timeoutSeconds?: number | undefined
  readonly memoryMb?: number | undefined
  readonly environment: Readonly<Record<string, string>>
  readonly triggers: readonly TriggerDesign[]
  /** What of it is not known from the file alone. */
  readonly problems: readonly string[]
}

export interface TriggerDesign {
  readonly source:
    | { readonly tableName: string }
    /** With its number of shards, if the file declares the stream. */
    | { readonly streamName: string; readonly shardCount?: number | undefined }
  readonly startingPosition: 'TRIM_HORIZON' | 'LATEST'
  /** In the names of Lambda's CreateEventSourceMapping. */
  readonly settings: JsonObject
}
