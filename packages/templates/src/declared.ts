import type { FunctionDesign } from './function-design.ts'
import type { ResourceDesign, TableDesign } from './table-design.ts'

/** What files declare. */
export interface Declared {
  readonly tables: readonly TableDesign[]
  /** Streams of Kinesis, auto scaling, alarms, and event sources of functions that are declared elsewhere. */
  readonly resources: readonly ResourceDesign[]
  readonly functions: readonly FunctionDesign[]
  /** What is not here at all: it is left to AWS. */
  readonly skipped: readonly Skipped[]
  /** What cannot be made from the file alone, and why. */
  readonly problems: readonly string[]
}

export interface Skipped {
  readonly name: string
  readonly type: string
}
