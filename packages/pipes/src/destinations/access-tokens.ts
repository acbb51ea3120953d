import type { ConnectionRecord, OAuthParameters } from './destination-record.ts'
import { pairsOf } from './http-call.ts'
import type { HttpCall, HttpCaller } from './http-caller.ts'

interface AccessToken {
  /** As the header field `Authorization` has it. */
  readonly authorization: string
  readonly untilMs: number
}

/** A token is renewed this long before it expires, so that it does not expire on its way. */
const marginMs = 30_000
const usualSeconds = 3_600

/** The tokens of connections with OAuth, for as long as they are good for. They are kept in memory only. */
export class AccessTokens {
  readonly #tokens = new Map<string, AccessToken>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** The value of `Authorization`; undefined if the connection has no use for one. */
  async of({ id, authParameters, modifiedAtMs }: ConnectionRecord, http: HttpCaller): Promise<string | undefined> {
    const { OAuthParameters: oauth } = authParameters
    if (oauth === undefined) return undefined
    const name = `${id} ${modifiedAtMs}`
    const known = this.#tokens.get(name)
    if (known !== undefined && this.#nowMs() < known.untilMs) return known.authorization
    for (const other of this.#tokens.keys()) if (other.startsWith(`${id} `)) this.#tokens.delete(other)
    const answer = await http.ask(tokenCall(oauth))
    if ('failure' in answer) throw new Error(`no token from ${oauth.AuthorizationEndpoint}: ${answer.failure}`)
    const token = readToken(answer.body, this.#nowMs())
    if (token === undefined)
      throw new Error(`no token from ${oauth.AuthorizationEndpoint}: it sent no access_token`)
    this.#tokens.set(name, token)
    return token.authorization
  }

  /** After a request was rejected: the token may have been revoked. */
  forget({ id, modifiedAtMs }: ConnectionRecord): void {
    this.#tokens.delete(`${id} ${modifiedAtMs}`)
  }
}

/** The request for a token, as RFC 6749 has it for client credentials. */
function tokenCall({
  AuthorizationEndpoint,
  HttpMethod,
  ClientParameters,
  OAuthHttpParameters,
}: OAuthParameters): HttpCall {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: ClientParameters.ClientID,
    client_secret: ClientParameters.ClientSecret,
  })
  for (const [name, value] of pairsOf(OAuthHttpParameters?.BodyParameters)) form.set(name, value)
  const url = new URL(AuthorizationEndpoint)
  for (const [name, value] of pairsOf(OAuthHttpParameters?.QueryStringParameters)) url.searchParams.set(name, value)
  const isInUrl = HttpMethod === 'GET'
  if (isInUrl) for (const [name, value] of form) url.searchParams.set(name, value)
  return {
    method: HttpMethod,
    url: url.href,
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'Amazon/EventBridge/ApiDestinations',
      ...Object.fromEntries(pairsOf(OAuthHttpParameters?.HeaderParameters)),
    },
    body: isInUrl ? '' : form.toString(),
  }
}

function readToken(body: string, nowMs: number): AccessToken | undefined {
  let answer: unknown
  try {
    answer = JSON.parse(body)
  } catch {
    return undefined
  }
  if (typeof answer !== 'object' || answer === null) return undefined
  const { access_token: token, token_type: type, expires_in: seconds } = answer as Readonly<Record<string, unknown>>
  // It becomes a header field: one line of ASCII.
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) return undefined
  const isKnownType =
    typeof type === 'string' && /^[A-Za-z][A-Za-z0-9-]*$/.test(type) && type.toLowerCase() !== 'bearer'
  const lifeSeconds = Number(seconds)
  const lifeMs = (Number.isFinite(lifeSeconds) && lifeSeconds > 0 ? lifeSeconds : usualSeconds) * 1000
  return {
    authorization: `${isKnownType ? type : 'Bearer'} ${token}`,
    untilMs: nowMs + Math.max(1_000, lifeMs - marginMs),
  }
}
