import type { TlsDetails } from './tls-details.ts'

/** A request as handlers see it, with the header fields that this server uses. */
export interface HttpRequest {
  readonly method: string
  /** The request target as sent: path and query, or an absolute URL. */
  readonly target: string
  readonly body: Buffer
  readonly host?: string | undefined
  readonly contentType?: string | undefined
  readonly amzTarget?: string | undefined
  readonly amzDate?: string | undefined
  readonly amzSecurityToken?: string | undefined
  readonly amzRegionSet?: string | undefined
  readonly date?: string | undefined
  readonly authorization?: string | undefined
  readonly contentEncoding?: string | undefined
  readonly acceptEncoding?: string | undefined
  readonly origin?: string | undefined
  readonly accessControlRequestHeaders?: string | undefined
  readonly accessControlRequestMethod?: string | undefined
  readonly accept?: string | undefined
  readonly ifNoneMatch?: string | undefined
  readonly lastEventId?: string | undefined
  readonly secFetchSite?: string | undefined
  /** `x-hashrange-workbench`: the secret of the workbench's page. */
  readonly workbench?: string | undefined
  /** `x-hashrange-branch`: the branch of the data that the request is about. */
  readonly branch?: string | undefined
  /** What a proxy says about where the request came from: `Forwarded`, `X-Forwarded-For`, `X-Real-IP`. */
  readonly forwarded?: string | undefined
  /** All header fields as they were sent, `Name: value`, if something needs all of them: a signature may cover any. */
  readonly fields?: readonly string[] | undefined
  /** The address of the client; undefined once the connection is gone. */
  readonly remoteAddress?: string | undefined
  /** How the request came, if it came over TLS. Read from the connection on demand. */
  readonly tls?: TlsDetails | undefined
}

export interface HttpResponse {
  readonly status: number
  /** Without `Content-Length`, `Date` and `Connection`, which the connection adds. Values contain no line breaks. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Continues after the body, for as long as the connection lasts: no other request follows on it. */
  readonly stream?: ((sink: ResponseSink) => void) | undefined
}

/** The rest of a response that has no end yet. */
export interface ResponseSink {
  /** False if the client does not read fast enough: then nothing more should be written until `onDrain`. */
  write(bytes: Uint8Array): boolean
  onDrain(listener: () => void): void
  /** Called once, when the client is gone, too slow, or the server closes. */
  onClose(listener: () => void): void
  end(): void
}

/** Returns synchronously if nothing needs to be awaited. */
export type HttpHandler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>
