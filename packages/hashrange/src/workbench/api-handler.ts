import type { Engine } from '@hashrange/engine'
import type { Logger } from '@hashrange/server'
import type { ModelFiles } from './models/model-files.ts'

/** What the handlers of the workbench's API work on. */
export interface WorkbenchContext {
  readonly engine: Engine
  readonly version: string
  readonly readOnly: boolean
  readonly shared: boolean
  readonly path: string | undefined
  readonly models: readonly string[]
  readonly modelFiles: ModelFiles
  readonly logger: Logger
}

/** One request to the API, past all checks. */
export interface ApiCall {
  /** What follows the handler's own name in the path: `['Scan']` of `/_workbench/api/dynamodb/Scan`. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  /** Parsed JSON, of any shape. */
  readonly body: unknown
}

/** Answers with anything that `toJsonBytes` can write. What it refuses it refuses with a ServiceError (or an `ApiRefusal`,
 *  for what is no refusal of the service). */
export type ApiHandler = (context: WorkbenchContext, call: ApiCall) => Promise<unknown>

/** A refusal of the workbench itself, with a sentence for its user. */
export class ApiRefusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, sentence: string) {
    super(sentence)
    this.name = code
    this.status = status
    this.code = code
  }
}
