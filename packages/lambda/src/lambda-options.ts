import type { PutMetrics } from './functions/function-metrics.ts'
import type { NodeRuntime } from './functions/runners.ts'

/** What a database lets its functions do, and how it runs them. */
export interface LambdaOptions {
  /** How JavaScript is run; without it, only functions in this process, other programs and URLs can be called. */
  readonly node?: NodeRuntime | undefined
  /** Why no code may be sent to this server; undefined if it may. */
  readonly whyNoUploads?: string | undefined
  /** Where this server listens, as functions reach it. They wait for it. */
  readonly endpoint?: (() => Promise<string>) | undefined
  /** Whether requests are verified, so that functions need the credentials of their roles. */
  readonly isClosed?: boolean | undefined
  /** Calls URLs as destinations; without it, none can be. */
  readonly urls?: UrlDestinations | undefined
  /** Keeps metrics of functions, for CloudWatch. */
  readonly putMetrics?: PutMetrics | undefined
  /** Called with every line that functions print. What it returns says when more may follow; undefined, if at once. */
  readonly print?: ((name: string, line: string) => Promise<void> | undefined) | undefined
  /** Called with what belongs to no request. */
  readonly report?: ((sentence: string) => void) | undefined
  /** The pause before the first retry of a batch. */
  readonly retryMs?: number | undefined
}

export interface UrlDestinations {
  /** Why a URL may not be called; undefined if it may. */
  refusalOf(url: string): string | undefined
  /** What went wrong, if anything did. */
  send(url: string, body: string): Promise<string | undefined>
}
