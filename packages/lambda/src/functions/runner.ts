/** One call of a function. */
export interface Invocation {
  readonly requestId: string
  readonly functionArn: string
  /** JSON. */
  readonly payload: Buffer
  readonly clientContext?: string | undefined
}

/** How it went. A function that fails has been called all the same. */
export interface Invoked {
  /** What the function returned, or its error, as JSON. */
  readonly payload: Buffer
  readonly functionError?: 'Unhandled' | undefined
  /** The end of what was printed meanwhile. */
  readonly log: Buffer
}

/** Calls one function, wherever it runs. */
export interface Runner {
  /** Rejects only with a ServiceError, if the function could not be called at all. */
  invoke(invocation: Invocation): Promise<Invoked>
  close(): Promise<void>
}

/** What a function is told, and callers are, if it failed. */
export function failed(errorType: string, errorMessage: string, log: Buffer = Buffer.alloc(0)): Invoked {
  return { payload: Buffer.from(JSON.stringify({ errorType, errorMessage })), functionError: 'Unhandled', log }
}
