import type { Scope } from '@hashrange/engine'

/** A header field, a part of a query or a part of a body that every request of a connection has. */
export interface ConnectionParameter {
  readonly Key?: string
  readonly Value?: string
  readonly IsValueSecret?: boolean
}

export interface ConnectionParameters {
  readonly HeaderParameters?: readonly ConnectionParameter[]
  readonly QueryStringParameters?: readonly ConnectionParameter[]
  readonly BodyParameters?: readonly ConnectionParameter[]
}

/** Where to get the token that every request then has, and how. */
export interface OAuthParameters {
  readonly AuthorizationEndpoint: string
  readonly HttpMethod: 'GET' | 'POST' | 'PUT'
  readonly ClientParameters: { readonly ClientID: string; readonly ClientSecret: string }
  readonly OAuthHttpParameters?: ConnectionParameters
}

export interface AuthParameters {
  readonly BasicAuthParameters?: { readonly Username: string; readonly Password: string }
  readonly OAuthParameters?: OAuthParameters
  readonly ApiKeyAuthParameters?: { readonly ApiKeyName: string; readonly ApiKeyValue: string }
  readonly InvocationHttpParameters?: ConnectionParameters
}

/** How an HTTP endpoint is to know who calls it. ON DISK as JSON. */
export interface ConnectionRecord {
  readonly kind: 'connection'
  readonly name: string
  /** The last part of its ARN. */
  readonly id: string
  readonly description?: string | undefined
  readonly authorizationType: 'BASIC' | 'API_KEY' | 'OAUTH_CLIENT_CREDENTIALS'
  readonly authParameters: AuthParameters
  readonly createdAtMs: number
  readonly modifiedAtMs: number
}

/** An HTTP endpoint. ON DISK as JSON. */
export interface ApiDestinationRecord {
  readonly kind: 'api-destination'
  readonly name: string
  readonly id: string
  readonly description?: string | undefined
  readonly connectionArn: string
  readonly endpoint: string
  readonly method: string
  readonly rateLimitPerSecond: number
  readonly createdAtMs: number
  readonly modifiedAtMs: number
}

export type EndpointRecord = ConnectionRecord | ApiDestinationRecord

export function endpointArn({ region, accountId }: Scope, { kind, name, id }: EndpointRecord): string {
  return `arn:aws:events:${region}:${accountId}:${kind}/${name}/${id}`
}

export function isApiDestinationArn(arn: string): boolean {
  return /^arn:aws:events:[^:]*:\d{12}:api-destination\/[.\-_A-Za-z0-9]+\/[-A-Za-z0-9]+$/.test(arn)
}
