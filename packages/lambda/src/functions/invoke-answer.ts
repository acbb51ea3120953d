/** What `Invoke` returns, before it has the form of a response. */
export interface InvokeAnswer {
  /** 200 for a call that was made, 202 for one that will be, 204 for one that only could have been. */
  readonly status: 200 | 202 | 204
  readonly payload: Buffer
  /** Present if the function failed. */
  readonly functionError?: string | undefined
  /** The last part of what the function has printed, if it was asked for. */
  readonly logTail?: Buffer | undefined
}
