import type { Engine } from '@hashrange/engine'
import type { Gate } from '@hashrange/access/closed'
import type { WebhookReport } from '@hashrange/kinesis'
import type { Lambda } from '@hashrange/lambda'
import type { Audit, HttpRequest, Logger, Sharing } from '@hashrange/server'
import type { Connections } from './connections/connections.ts'
import type { Copies } from './copies/copies.ts'
import type { Visitor } from './visitors/visitor.ts'
import type { ModelFiles } from './models/model-files.ts'
import type { LinkStatus } from '../regions/link-status.ts'

/** What the handlers of the workbench's API use. */
export interface WorkbenchContext {
  readonly engine: Engine
  readonly version: string
  readonly readOnly: boolean
  readonly shared: Sharing
  readonly path: string | undefined
  /** Whether other machines may load and save model files, which runs code here. */
  readonly remoteModels: boolean
  /** Whether the page may change model files, which are run here. */
  readonly editModels: boolean
  readonly modelFiles: ModelFiles
  /** Whether there are tables of its own; a workbench for other databases has none. */
  readonly hasDatabase: boolean
  /** The other databases that the page may use. */
  readonly connections: Connections
  readonly copies: Copies
  readonly logger: Logger
  /** Keeps a record of calls. */
  readonly audit?: Audit | undefined
  /** Of a closed server. */
  readonly gate?: Gate | undefined
  readonly consumers?: ChangeConsumers | undefined
  /** The servers of other regions, if it is linked to any. */
  readonly linkedServers?: (() => readonly LinkStatus[]) | undefined
}

/** What gets the changes of tables, besides what the API tells. */
export interface ChangeConsumers {
  readonly lambda: Lambda
  readonly webhookReports: () => Promise<readonly WebhookReport[]>
}

/** One request to the API, past all checks. */
export interface ApiCall {
  /** What follows the handler's own name in the path: `['Scan']` of `/_workbench/api/dynamodb/Scan`. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  /** Parsed JSON; its members have any shape. */
  readonly body: JsonObject
  /** Whether the request comes from a program on this machine. */
  readonly isFromHere: boolean
  /** How it came. */
  readonly request: HttpRequest
  /** Who asks. */
  readonly visitor: Visitor
}

export type JsonObject = Readonly<Record<string, unknown>>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns anything that `toJsonBytes` can serialize. Errors are ServiceErrors (or an `ApiRefusal`, for errors of the
 *  workbench itself). */
export type ApiHandler = (context: WorkbenchContext, call: ApiCall) => Promise<unknown>

/** An error of the workbench itself, with a sentence for its user. */
export class ApiRefusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.name = code
    this.status = status
    this.code = code
  }
}
