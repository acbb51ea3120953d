/** What one connection may ask of the server. */
export interface HttpLimits {
  readonly requestLineBytes: number
  /** The header fields together; trailers have the same limit. */
  readonly headBytes: number
  readonly headerFields: number
  readonly bodyBytes: number
  /** Requests of one connection that are worked on at once; further ones stay unread. */
  readonly pipelinedRequests: number
  /** How long a kept-alive connection may say nothing. */
  readonly idleMs: number
  /** How long the head of a request may take, from its first byte. */
  readonly headMs: number
  /** How long a whole request may take, from its first byte. */
  readonly requestMs: number
  /** How long a client may leave its answers unread. */
  readonly stallMs: number
  /** How long a refused client's bytes are read and dropped, so that the refusal reaches it before a reset. */
  readonly lingerMs: number
}

/** Line, fields and body as the service limits them. */
export const defaultHttpLimits: HttpLimits = {
  requestLineBytes: 16 * 1024,
  headBytes: 16 * 1024,
  headerFields: 100,
  bodyBytes: 16 * 1024 * 1024,
  pipelinedRequests: 16,
  idleMs: 120_000,
  headMs: 20_000,
  requestMs: 300_000,
  stallMs: 120_000,
  lingerMs: 2_000,
}
