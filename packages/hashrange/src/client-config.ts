import type { InProcessHandler } from './in-process-handler.ts'

/** The configuration of an SDK client that talks to a database in this process. */
export interface ClientConfig {
  readonly endpoint: string
  readonly region: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  readonly requestHandler: InProcessHandler
  /** Without it, the SDK signs as it would for AWS. */
  readonly signer?: { sign<Request>(request: Request): Promise<Request> }
}

export function clientConfigFor(
  requestHandler: InProcessHandler,
  region: string,
  credentials?: ClientConfig['credentials'],
): ClientConfig {
  // Never connected to; the SDK wants one.
  const endpoint = 'http://hashrange.invalid'
  if (credentials !== undefined) return { endpoint, region, credentials, requestHandler }
  return {
    endpoint,
    region,
    credentials: { accessKeyId: 'hashrange', secretAccessKey: 'hashrange' },
    requestHandler,
    // Within a process there is nobody to convince, and signing would be most of the cost of a request.
    signer: { sign: (request) => Promise.resolve(request) },
  }
}
