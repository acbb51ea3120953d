import { ServiceError, validationException } from '@hashrange/core'
import type { Catalog } from '../catalog/catalog.ts'
import { tableNotFound } from '../catalog/catalog-errors.ts'
import type { Table } from '../catalog/table.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import type { Scope } from '../scope.ts'
import { invalidParameter } from './invalid-parameter.ts'

/** What a policy belongs to: a table, or one of its streams. */
export interface PolicyHolder {
  readonly tableName: string
  /** Of the stream. */
  readonly label: string | undefined
}

export interface HeldPolicy {
  readonly policy: string
  readonly revisionId: string
}

/** Parses the ARN of a table or a stream. The errors were observed on the service. */
export function readPolicyHolder(scope: Scope, resourceArn: string): PolicyHolder {
  const [prefix, partition, service, region, accountId, ...rest] = resourceArn.split(':')
  if (prefix !== 'arn') throw invalidParameter(`ARNs must start with 'arn:': ${resourceArn}`)
  if (service !== 'dynamodb') throw invalidParameter(`Provided Arn is not a DynamoDB resource arn: ${resourceArn}`)
  const [kind, tableName = '', below, label, ...deeper] = rest.join(':').split('/')
  if (kind !== 'table' || tableName === '' || below === 'backup') {
    throw invalidParameter(`Provided Arn is not a DynamoDB resource arn: ${resourceArn}`)
  }
  const isStream = below === 'stream' && label !== undefined && label !== '' && deeper.length === 0
  if (below !== undefined && !isStream) {
    throw invalidParameter(
      `Invalid resource arn provided, only table or stream is accepted. Provided resource arn: ${resourceArn}`,
    )
  }
  if (partition !== 'aws' || region !== scope.region) throw invalidParameter(`Invalid resource Arn: ${resourceArn}`)
  if (accountId !== scope.accountId) throw notOwner()
  return { tableName, label }
}

/** Only the owner may see and change policies, whatever they allow others. */
function notOwner(): ServiceError {
  return validationException('This action is only supported by accounts that match the resource owner’s account.')
}

export function requirePolicyHolder(catalog: Catalog, scope: Scope, { tableName, label }: PolicyHolder): Table {
  const table = catalog.find(scope, tableName)
  if (table === undefined) throw tableNotFound(tableName)
  if (label !== undefined) assertHasStream(table.definition, label)
  return table
}

function assertHasStream({ tableName, stream, pastStreams = [] }: TableDefinition, label: string): void {
  if (stream?.label === label || pastStreams.some((past) => past.label === label)) return
  throw new ServiceError(
    'ResourceNotFoundException',
    `Requested resource not found: Stream: ${label} not found for Table: ${tableName}`,
  )
}

export function heldPolicy(definition: TableDefinition, label: string | undefined): HeldPolicy | undefined {
  if (label !== undefined) return definition.streamPolicies?.find((held) => held.label === label)
  const { resourcePolicy: policy, resourcePolicyRevisionId, createdAtMs } = definition
  return policy === undefined ? undefined : { policy, revisionId: resourcePolicyRevisionId ?? String(createdAtMs) }
}

/** The definition with another policy, or with none. */
export function withPolicy(
  definition: TableDefinition,
  label: string | undefined,
  held: HeldPolicy | undefined,
): TableDefinition {
  if (label === undefined) {
    const { resourcePolicy: _policy, resourcePolicyRevisionId: _revision, ...rest } = definition
    return held === undefined
      ? rest
      : { ...rest, resourcePolicy: held.policy, resourcePolicyRevisionId: held.revisionId }
  }
  const { streamPolicies = [], ...rest } = definition
  // Policies of streams that nobody can read any more are removed on this occasion.
  const others = streamPolicies.filter((other) => other.label !== label && isStreamOf(definition, other.label))
  const kept = held === undefined ? others : [...others, { label, ...held }]
  return kept.length === 0 ? rest : { ...rest, streamPolicies: kept }
}

function isStreamOf({ stream, pastStreams = [] }: TableDefinition, label: string): boolean {
  return stream?.label === label || pastStreams.some((past) => past.label === label)
}

/** A change may name the revision that it is meant for. */
export function assertExpectedRevision(
  tableName: string,
  held: HeldPolicy | undefined,
  expected: string | undefined,
): void {
  if (expected === undefined || expected === (held?.revisionId ?? noPolicy)) return
  throw policyNotFound(mismatch(tableName, held, expected))
}

/** Expects that there is none. */
const noPolicy = 'NO_POLICY'

function mismatch(tableName: string, held: HeldPolicy | undefined, expected: string): string {
  const asked = `Requested update for policy with revision id ${expected}, but`
  if (held === undefined) return `${asked} table ${tableName} has no associated policy.`
  return expected === noPolicy
    ? `Requested policy update expecting none to be present for table ${tableName}, but a policy exists with revision id ${held.revisionId}.`
    : `${asked} the policy associated to target table ${tableName} has revision id ${held.revisionId}.`
}

export function policyNotFound(detail: string): ServiceError {
  return new ServiceError(
    'PolicyNotFoundException',
    `Resource-based policy not found for the provided ResourceArn: ${detail}`,
  )
}
