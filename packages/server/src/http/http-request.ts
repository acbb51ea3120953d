import type { TlsDetails } from './tls-details.ts'

/** A request as handlers see it: of the header fields, those that something in this server reads. */
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
  readonly secFetchSite?: string | undefined
  /** `x-hashrange-workbench`: the secret of the workbench's page. */
  readonly workbench?: string | undefined
  /** What a proxy says of where the request came from: `Forwarded`, `X-Forwarded-For`, `X-Real-IP`. */
  readonly forwarded?: string | undefined
  /** All header fields as they were sent, `Name: value`, where something reads them all: a signature is of any of them. */
  readonly fields?: readonly string[] | undefined
  /** The address of whoever opened the connection; nothing once it is gone. */
  readonly remoteAddress?: string | undefined
  /** How the request came, if it came over TLS. Read from the connection when it is asked for. */
  readonly tls?: TlsDetails | undefined
}

export interface HttpResponse {
  readonly status: number
  /** Without `Content-Length`, `Date` and `Connection`, which the connection adds. Values hold no line breaks. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Answers at once where nothing is to be waited for. */
export type HttpHandler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>
