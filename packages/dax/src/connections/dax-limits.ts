/** The limits for connections of DAX's clients. */
export interface DaxLimits {
  /** At once; further ones are closed as they come. */
  readonly connections: number
  /** Of a request, as over HTTP. */
  readonly requestBytes: number
  /** Of what a client sends before it is known. */
  readonly strangerBytes: number
  /** What all connections together may hold. */
  readonly heldBytes: number
  /** How long a request may take to arrive, from its first byte; and a client that has connected, to say what it is. */
  readonly requestMs: number
  /** How long a client may leave its answer unread. */
  readonly stallMs: number
}

const megabyte = 1024 * 1024

export const defaultDaxLimits: DaxLimits = {
  connections: 10_000,
  requestBytes: 16 * megabyte,
  strangerBytes: 64 * 1024,
  heldBytes: 256 * megabyte,
  requestMs: 20_000,
  stallMs: 60_000,
}
