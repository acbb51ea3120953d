import { randomUUID } from 'node:crypto'
import { validationException } from '@hashrange/core'
import { pageToken, readPageToken, type Scope, type ServiceOperation } from '@hashrange/engine'
import type { EventsOperation } from '../api/events-operations.ts'
import {
  endpointArn,
  type ApiDestinationRecord,
  type AuthParameters,
  type ConnectionParameter,
  type ConnectionParameters,
  type ConnectionRecord,
  type EndpointRecord,
} from '../destinations/destination-record.ts'
import type { Pipes } from '../pipes.ts'

interface Named {
  readonly Name: string
}

interface ConnectionInput extends Named {
  readonly Description?: string
  readonly AuthorizationType?: string
  readonly AuthParameters?: AuthParameters
}

interface DestinationInput extends Named {
  readonly Description?: string
  readonly ConnectionArn?: string
  readonly InvocationEndpoint?: string
  readonly HttpMethod?: string
  readonly InvocationRateLimitPerSecond?: number
}

interface ListInput {
  readonly NamePrefix?: string
  readonly ConnectionArn?: string
  readonly ConnectionState?: string
  readonly NextToken?: string
  readonly Limit?: number
}

const usualRatePerSecond = 300

async function createConnection(pipes: Pipes, scope: Scope, input: ConnectionInput) {
  const { Name: name, Description: description, AuthParameters: authParameters = {} } = input
  const nowMs = pipes.clock.now()
  const record: ConnectionRecord = {
    kind: 'connection',
    name,
    id: randomUUID(),
    ...(description !== undefined && { description }),
    authorizationType: readType(pipes, input.AuthorizationType, authParameters),
    authParameters,
    createdAtMs: nowMs,
    modifiedAtMs: nowMs,
  }
  await pipes.endpoints.create(scope, record)
  return connectionSummary(scope, record)
}

/** What is not given stays. */
async function updateConnection(pipes: Pipes, scope: Scope, input: ConnectionInput) {
  const modifiedAtMs = pipes.clock.now()
  const record = await pipes.endpoints.change(scope, 'connection', input.Name, (current) => {
    const authParameters = { ...current.authParameters, ...input.AuthParameters }
    return {
      ...current,
      description: input.Description ?? current.description,
      authorizationType: readType(pipes, input.AuthorizationType ?? current.authorizationType, authParameters),
      authParameters,
      modifiedAtMs,
    }
  })
  return connectionSummary(scope, record)
}

async function deleteConnection(pipes: Pipes, scope: Scope, { Name }: Named) {
  const record = await pipes.endpoints.change(scope, 'connection', Name, () => undefined)
  return { ...connectionSummary(scope, record), ConnectionState: 'DELETING' }
}

/** Secrets are never shown. */
async function describeConnection(pipes: Pipes, scope: Scope, { Name }: Named) {
  const record = await pipes.endpoints.require(scope, 'connection', Name)
  const {
    BasicAuthParameters: basic,
    ApiKeyAuthParameters: key,
    OAuthParameters: oauth,
    InvocationHttpParameters: http,
  } = record.authParameters
  return {
    ...connectionSummary(scope, record),
    Description: record.description,
    AuthParameters: {
      ...(basic && { BasicAuthParameters: { Username: basic.Username } }),
      ...(key && { ApiKeyAuthParameters: { ApiKeyName: key.ApiKeyName } }),
      ...(oauth && {
        OAuthParameters: {
          ClientParameters: { ClientID: oauth.ClientParameters.ClientID },
          AuthorizationEndpoint: oauth.AuthorizationEndpoint,
          HttpMethod: oauth.HttpMethod,
          ...(oauth.OAuthHttpParameters && { OAuthHttpParameters: withoutSecrets(oauth.OAuthHttpParameters) }),
        },
      }),
      ...(http && { InvocationHttpParameters: withoutSecrets(http) }),
    },
  }
}

async function listConnections(pipes: Pipes, scope: Scope, input: ListInput) {
  const isWanted = (input.ConnectionState ?? 'AUTHORIZED') === 'AUTHORIZED'
  const found = isWanted ? await pipes.endpoints.list(scope, 'connection') : []
  const { page, NextToken } = pageOf(found, input)
  return { Connections: page.map((record) => connectionSummary(scope, record)), NextToken }
}

async function createApiDestination(pipes: Pipes, scope: Scope, input: DestinationInput) {
  const { Name: name, Description: description, ConnectionArn = '', InvocationEndpoint = '' } = input
  await pipes.endpoints.requireArn(scope, 'connection', ConnectionArn)
  assertCallable(pipes, 'InvocationEndpoint', InvocationEndpoint)
  const nowMs = pipes.clock.now()
  const record: ApiDestinationRecord = {
    kind: 'api-destination',
    name,
    id: randomUUID(),
    ...(description !== undefined && { description }),
    connectionArn: ConnectionArn,
    endpoint: InvocationEndpoint,
    method: input.HttpMethod ?? 'POST',
    rateLimitPerSecond: input.InvocationRateLimitPerSecond ?? usualRatePerSecond,
    createdAtMs: nowMs,
    modifiedAtMs: nowMs,
  }
  await pipes.endpoints.create(scope, record)
  return destinationSummary(scope, record)
}

async function updateApiDestination(pipes: Pipes, scope: Scope, input: DestinationInput) {
  const { ConnectionArn, InvocationEndpoint } = input
  if (ConnectionArn !== undefined) await pipes.endpoints.requireArn(scope, 'connection', ConnectionArn)
  if (InvocationEndpoint !== undefined) assertCallable(pipes, 'InvocationEndpoint', InvocationEndpoint)
  const modifiedAtMs = pipes.clock.now()
  const record = await pipes.endpoints.change(scope, 'api-destination', input.Name, (current) => ({
    ...current,
    description: input.Description ?? current.description,
    connectionArn: ConnectionArn ?? current.connectionArn,
    endpoint: InvocationEndpoint ?? current.endpoint,
    method: input.HttpMethod ?? current.method,
    rateLimitPerSecond: input.InvocationRateLimitPerSecond ?? current.rateLimitPerSecond,
    modifiedAtMs,
  }))
  return destinationSummary(scope, record)
}

async function deleteApiDestination(pipes: Pipes, scope: Scope, { Name }: Named) {
  await pipes.endpoints.change(scope, 'api-destination', Name, () => undefined)
  return {}
}

async function describeApiDestination(pipes: Pipes, scope: Scope, { Name }: Named) {
  const record = await pipes.endpoints.require(scope, 'api-destination', Name)
  return { ...destinationSummary(scope, record), Description: record.description }
}

async function listApiDestinations(pipes: Pipes, scope: Scope, input: ListInput) {
  const all = await pipes.endpoints.list(scope, 'api-destination')
  const found = all.filter(({ connectionArn }) => (input.ConnectionArn ?? connectionArn) === connectionArn)
  const { page, NextToken } = pageOf(found, input)
  return { ApiDestinations: page.map((record) => destinationSummary(scope, record)), NextToken }
}

function readType(
  pipes: Pipes,
  type: string | undefined,
  given: AuthParameters,
): ConnectionRecord['authorizationType'] {
  const { OAuthParameters: oauth } = given
  if (type === 'OAUTH_CLIENT_CREDENTIALS' && oauth !== undefined) {
    const isWhole = [oauth.AuthorizationEndpoint, oauth.HttpMethod, oauth.ClientParameters].every(
      (part) => part !== undefined,
    )
    if (!isWhole)
      throw validationException(
        'Parameter OAuthParameters is not valid. Reason: it needs AuthorizationEndpoint, HttpMethod and ClientParameters.',
      )
    assertCallable(pipes, 'AuthorizationEndpoint', oauth.AuthorizationEndpoint)
    return type
  }
  if (type === 'BASIC' && given.BasicAuthParameters !== undefined) return type
  if (type === 'API_KEY' && given.ApiKeyAuthParameters !== undefined) return type
  throw validationException(
    `Parameter AuthParameters is not valid. Reason: it has no parameters for ${type ?? 'BASIC'}.`,
  )
}

function assertCallable({ http }: Pipes, parameter: string, endpoint: string): void {
  const refusal = http === undefined ? 'URLs cannot be called from here' : http.refusalOf(endpoint)
  if (refusal !== undefined) throw validationException(`Parameter ${parameter} is not valid. Reason: ${refusal}.`)
}

function withoutSecrets(parameters: ConnectionParameters): ConnectionParameters {
  const shown = ({ Key = '', Value = '', IsValueSecret = false }: ConnectionParameter): ConnectionParameter => ({
    Key,
    ...(!IsValueSecret && { Value }),
    IsValueSecret,
  })
  return Object.fromEntries(
    Object.entries(parameters).map(([name, list]: [string, readonly ConnectionParameter[]]) => [
      name,
      list.map(shown),
    ]),
  )
}

function pageOf<T extends EndpointRecord>(
  found: readonly T[],
  { NamePrefix = '', NextToken, Limit = 100 }: ListInput,
) {
  const [after] = NextToken === undefined ? [''] : (readPageToken(NextToken) ?? [])
  if (after === undefined) throw validationException('NextToken is invalid.')
  const rest = found.filter(({ name }) => name.startsWith(NamePrefix) && name > after)
  const page = rest.slice(0, Limit)
  return { page, NextToken: rest.length > page.length ? pageToken([page.at(-1)?.name ?? '']) : undefined }
}

/** Times are in seconds. */
function times({ createdAtMs, modifiedAtMs }: EndpointRecord) {
  return { CreationTime: createdAtMs / 1000, LastModifiedTime: modifiedAtMs / 1000 }
}

function connectionSummary(scope: Scope, record: ConnectionRecord) {
  return {
    ConnectionArn: endpointArn(scope, record),
    Name: record.name,
    ConnectionState: 'AUTHORIZED',
    AuthorizationType: record.authorizationType,
    ...times(record),
    LastAuthorizedTime: record.modifiedAtMs / 1000,
  }
}

function destinationSummary(scope: Scope, record: ApiDestinationRecord) {
  return {
    ApiDestinationArn: endpointArn(scope, record),
    Name: record.name,
    ApiDestinationState: 'ACTIVE',
    ConnectionArn: record.connectionArn,
    InvocationEndpoint: record.endpoint,
    HttpMethod: record.method,
    InvocationRateLimitPerSecond: record.rateLimitPerSecond,
    ...times(record),
  }
}

export const eventsOperationsByName: Readonly<Record<EventsOperation, ServiceOperation<Pipes>>> = {
  CreateApiDestination: createApiDestination,
  CreateConnection: createConnection,
  DeleteApiDestination: deleteApiDestination,
  DeleteConnection: deleteConnection,
  DescribeApiDestination: describeApiDestination,
  DescribeConnection: describeConnection,
  ListApiDestinations: listApiDestinations,
  ListConnections: listConnections,
  UpdateApiDestination: updateApiDestination,
  UpdateConnection: updateConnection,
}
