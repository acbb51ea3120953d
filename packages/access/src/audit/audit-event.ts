import type { AuditedCall, TlsDetails } from '@hashrange/server'
import { eventSourceOf, isDataEvent, isReadOnlyOperation, isReadOnlyStatement } from './kinds-of-events.ts'
import { isRecord, type JsonRecord } from './json-record.ts'
import { dataParameters, type KeyNamesOf } from './request-parameters.ts'
import type { UserIdentity } from './user-identity.ts'
import { withoutSecrets } from './without-secrets.ts'

/** What CloudTrail leaves out is larger than this. */
const largestPartBytes = 100 * 1024

export interface EventFacts {
  readonly eventId: string
  readonly time: Date
  readonly identity: UserIdentity
  readonly keyNamesOf: KeyNamesOf
}

/** A call in the form of a CloudTrail record. */
export function auditEvent(call: AuditedCall, { eventId, time, identity, keyNamesOf }: EventFacts): JsonRecord {
  const { service, operation, scope, request, input } = call
  const isData = isDataEvent(service, operation)
  const readOnly = isReading(operation, input)
  const parameters = isData ? dataParameters(operation, input, keyNamesOf) : withoutSecrets(input ?? null)
  const answer = isData || readOnly || call.error !== undefined ? null : withoutSecrets(call.answer ?? null)
  return {
    eventVersion: '1.11',
    userIdentity: identity,
    eventTime: time.toISOString().replace(/\.\d+Z$/, 'Z'),
    eventSource: eventSourceOf(service),
    eventName: operation,
    awsRegion: scope?.region ?? 'unknown',
    sourceIPAddress: request.remoteAddress ?? 'unknown',
    userAgent: userAgentOf(request.fields),
    ...(call.error === undefined && operation === 'BatchExecuteStatement'
      ? deniedStatementParts(call.answer)
      : errorParts(call.error)),
    requestParameters: bounded(parameters),
    responseElements: bounded(answer),
    requestID: call.requestId,
    eventID: eventId,
    readOnly,
    ...(scope !== undefined && service === 'dynamodb' && resourcesOf(scope, input)),
    eventType: 'AwsApiCall',
    managementEvent: !isData,
    recipientAccountId: scope?.accountId ?? 'unknown',
    eventCategory: isData ? 'Data' : 'Management',
    ...(request.tls !== undefined && { tlsDetails: tlsParts(request.tls, request.host) }),
  }
}

function isReading(operation: string, input: unknown): boolean {
  if (!isRecord(input)) return isReadOnlyOperation(operation)
  switch (operation) {
    case 'ExecuteStatement':
      return isReadOnlyStatement(input['Statement'])
    case 'BatchExecuteStatement':
      return areReadOnly(input['Statements'])
    case 'ExecuteTransaction':
      return areReadOnly(input['TransactStatements'])
    default:
      return isReadOnlyOperation(operation)
  }
}

function areReadOnly(statements: unknown): boolean {
  return (
    Array.isArray(statements) && statements.every((one) => isRecord(one) && isReadOnlyStatement(one['Statement']))
  )
}

function errorParts(error: unknown): JsonRecord {
  if (error === undefined) return {}
  const code = isRecord(error) && typeof error['code'] === 'string' ? error['code'] : 'InternalServerError'
  const told = error instanceof Error && code !== 'InternalServerError' ? error.message : ''
  // What should have been signed contains the headers of the request, and with them a session token.
  const message = code === 'InvalidSignatureException' ? (told.split('\n', 1)[0] ?? '') : told
  return { errorCode: code, ...(message !== '' && { errorMessage: message.slice(0, 1024) }) }
}

/** The first statement of a batch that was denied: the call itself has succeeded. */
function deniedStatementParts(answer: unknown): JsonRecord {
  const responses = isRecord(answer) && Array.isArray(answer['Responses']) ? (answer['Responses'] as unknown[]) : []
  for (const response of responses) {
    const error = isRecord(response) ? response['Error'] : undefined
    if (!isRecord(error) || error['Code'] !== 'AccessDenied') continue
    return { errorCode: 'AccessDenied', errorMessage: String(error['Message']).slice(0, 1024) }
  }
  return {}
}

/** The tables and indexes that a call names. */
function resourcesOf(scope: { readonly accountId: string; readonly region: string }, input: unknown): JsonRecord {
  const names = [...new Set(tableNamesIn(input))].slice(0, 100)
  if (names.length === 0) return {}
  const resources = names.map((name) => ({
    accountId: scope.accountId,
    type: name.includes('/stream/') ? 'AWS::DynamoDB::Stream' : 'AWS::DynamoDB::Table',
    ARN: name.startsWith('arn:') ? name : `arn:aws:dynamodb:${scope.region}:${scope.accountId}:table/${name}`,
  }))
  return { resources }
}

function tableNamesIn(input: unknown): string[] {
  if (!isRecord(input)) return []
  const named = ['TableName', 'StreamArn', 'TableArn', 'ResourceArn', 'TargetTableName', 'SourceTableName'].map(
    (name) => input[name],
  )
  const batch = isRecord(input['RequestItems']) ? Object.keys(input['RequestItems']) : []
  const parts: unknown[] = Array.isArray(input['TransactItems']) ? input['TransactItems'].slice(0, 100) : []
  const inParts = parts.flatMap((part) => (isRecord(part) ? Object.values(part).flatMap(tableNamesIn) : []))
  return [...named, ...batch, ...inParts].filter(
    (name): name is string => typeof name === 'string' && name.length < 2048,
  )
}

function bounded(part: unknown): unknown {
  if (part === null || part === undefined) return null
  const bytes = Buffer.byteLength(JSON.stringify(part))
  return bytes <= largestPartBytes ? part : { omitted: true, originalSize: bytes, reason: 'input too large' }
}

function tlsParts({ version, cipherSuite, clientName }: TlsDetails, host: string | undefined): JsonRecord {
  return {
    tlsVersion: version,
    cipherSuite,
    clientProvidedHostHeader: host,
    ...(clientName !== undefined && { clientCertificateName: clientName }),
  }
}

function userAgentOf(fields: readonly string[] | undefined): string {
  const field = fields?.find((line) => /^user-agent\s*:/i.test(line))
  return field === undefined
    ? ''
    : field
        .slice(field.indexOf(':') + 1)
        .trim()
        .slice(0, 1024)
}
