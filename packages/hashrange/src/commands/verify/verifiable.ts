import type { Finding, VerifyProgress, VerifyReport } from '@hashrange/engine/verify'

/** A place whose data can be verified. */
export interface Verifiable {
  /** For people. */
  readonly name: string
  /** How it is named on the command line. */
  readonly flag: string
  run(options: VerifyRun): Promise<VerifyReport>
}

export interface VerifyRun {
  readonly table: string | undefined
  readonly repair: boolean
  readonly stopping: AbortSignal
  readonly onFinding: (finding: Finding) => void
  readonly onProgress: (progress: VerifyProgress) => void
  /** Called with what the user should know. */
  readonly onNote: (sentence: string) => void
}
