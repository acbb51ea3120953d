/** A request as it goes over the wire. */
export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  /** How long the answer may take; a second unless told. */
  readonly slowMs?: number
}
