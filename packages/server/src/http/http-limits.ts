import { totalmem } from 'node:os'

/** The limits for connections. */
export interface HttpLimits {
  /** Connections at once; further ones are closed as they come. */
  readonly connections: number
  /** What all connections together may hold: requests that are arriving or in progress, and responses that are not
   *  received. */
  readonly heldBytes: number
  readonly requestLineBytes: number
  /** The header fields together; trailers have the same limit. */
  readonly headBytes: number
  readonly headerFields: number
  readonly bodyBytes: number
  /** How many requests of one connection are in progress at once; further ones stay unread. */
  readonly pipelinedRequests: number
  /** How long a kept-alive connection may be silent. */
  readonly idleMs: number
  /** How long a TLS client may take from its connection to the end of its handshake. */
  readonly handshakeMs: number
  /** How long the head of a request may take, from its first byte. */
  readonly headMs: number
  /** How long a whole request may take, from its first byte. */
  readonly requestMs: number
  /** How long a body may take to arrive, in addition to the time that its bytes take at the slowest allowed rate. */
  readonly bodyMs: number
  readonly slowestBytesPerSecond: number
  /** How long a client may leave its answers unread. */
  readonly stallMs: number
  /** How long a rejected client's bytes are read and dropped, so that the error reaches it before a reset. */
  readonly lingerMs: number
}

const megabyte = 1024 * 1024

/** A quarter of the memory that this process may use, which containers limit, within reason. */
function memoryForRequests(): number {
  const limited = process.constrainedMemory()
  const bytes = limited > 0 ? Math.min(limited, totalmem()) : totalmem()
  return Math.max(64 * megabyte, Math.min(256 * megabyte, Math.floor(bytes / 4)))
}

/** Line, fields and body as the service limits them. */
export const defaultHttpLimits: HttpLimits = {
  connections: 10_000,
  heldBytes: memoryForRequests(),
  requestLineBytes: 16 * 1024,
  headBytes: 16 * 1024,
  headerFields: 100,
  bodyBytes: 16 * megabyte,
  pipelinedRequests: 16,
  idleMs: 120_000,
  handshakeMs: 10_000,
  headMs: 20_000,
  requestMs: 300_000,
  bodyMs: 20_000,
  slowestBytesPerSecond: 8 * 1024,
  stallMs: 120_000,
  lingerMs: 2_000,
}
