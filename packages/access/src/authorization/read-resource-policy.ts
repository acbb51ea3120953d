import { validationException } from '@hashrange/core'
import type { ReadResourcePolicy } from '@hashrange/engine'
import { isRecord } from '../policies/json-shapes.ts'
import { MalformedPolicy } from '../policies/malformed-policy.ts'
import { parsePolicy } from '../policies/parse-policy.ts'
import type { PolicyDocument, Statement } from '../policies/policy-document.ts'
import { canonicalPolicy } from './canonical-policy.ts'

/** Reads the policy of a table or a stream as the service does: in its words, which are not IAM's, and into the form in which it is
 *  shown again. Both were observed on the service. */
export const readResourcePolicy: ReadResourcePolicy = (policy, kind) => {
  const sent = parseJson(policy)
  const document = parse(policy)
  for (const statement of document.statements) checkPrincipal(statement)
  checkActions(document, kind)
  for (const statement of document.statements) checkResources(statement, kind)
  return canonicalPolicy(sent)
}

function parseJson(policy: string): Readonly<Record<string, unknown>> {
  let sent: unknown
  try {
    sent = JSON.parse(policy)
  } catch {
    throw invalidDocument('This policy contains invalid Json')
  }
  if (!isRecord(sent)) throw invalidDocument('This policy contains invalid Json')
  const { Statement: statements } = sent
  if (statements === undefined || (Array.isArray(statements) && statements.length === 0)) {
    throw invalidDocument('Could not parse the policy: Statement is empty!')
  }
  return sent
}

function parse(policy: string): PolicyDocument {
  try {
    return parsePolicy(policy, 'resource')
  } catch (error) {
    if (!(error instanceof MalformedPolicy)) throw error
    throw invalidDocument(words.get(error.message) ?? error.message)
  }
}

const words = new Map([
  ['Policy statement must contain actions.', 'Missing required field Action'],
  ['Policy statement must contain resources.', 'Missing required field Resource'],
  ['Statement IDs (SID) in a single policy must be unique.', 'The Statement Ids in the policy are not unique'],
])

/** Nobody's table is everybody's: a condition at least must say who is meant. */
function checkPrincipal({ effect, principal, conditions }: Statement): void {
  if (effect !== 'Allow' || principal === undefined) return
  if (principal.negated) throw invalidDocument('Allow with NotPrincipal is not allowed.')
  if (principal.everyone && conditions.length === 0) {
    throw validationException(
      'Resource-based policy grants unbounded access in one or more elements. Please revise the policy to ensure least-privilege form of access',
    )
  }
}

const streamActions = ['DescribeStream', 'GetRecords', 'GetShardIterator']
const policyActions = ['DeleteResourcePolicy', 'GetResourcePolicy', 'PutResourcePolicy']

/** Of global tables with replicas in several accounts:
 *  docs.aws.amazon.com/amazondynamodb/latest/developerguide/globaltables_MA_security.html */
const replicationActions = [
  'AssociateTableReplica',
  'ReadDataForReplication',
  'ReplicateSettings',
  'WriteDataForReplication',
]

const tableActions = [
  'BatchGetItem',
  'BatchWriteItem',
  'ConditionCheckItem',
  'CreateBackup',
  'CreateTableReplica',
  'DeleteItem',
  'DeleteTable',
  'DeleteTableReplica',
  'DescribeContinuousBackups',
  'DescribeContributorInsights',
  'DescribeKinesisStreamingDestination',
  'DescribeTable',
  'DescribeTableReplicaAutoScaling',
  'DescribeTimeToLive',
  'DisableKinesisStreamingDestination',
  'EnableKinesisStreamingDestination',
  'ExportTableToPointInTime',
  'GetItem',
  'ListTagsOfResource',
  'PartiQLDelete',
  'PartiQLInsert',
  'PartiQLSelect',
  'PartiQLUpdate',
  'PutItem',
  'Query',
  'RestoreTableToPointInTime',
  'Scan',
  'SearchVectors',
  'TagResource',
  'UntagResource',
  'UpdateContinuousBackups',
  'UpdateContributorInsights',
  'UpdateItem',
  'UpdateKinesisStreamingDestination',
  'UpdateTable',
  'UpdateTableReplicaAutoScaling',
  'UpdateTimeToLive',
]

const actions = {
  table: lowerCased([...tableActions, ...replicationActions, ...policyActions]),
  stream: lowerCased([...streamActions, ...policyActions]),
}

function lowerCased(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => `dynamodb:${name.toLowerCase()}`))
}

function checkActions({ statements }: PolicyDocument, kind: 'table' | 'stream'): void {
  const invalid = statements
    .flatMap(({ action }) => action.patterns)
    .filter((pattern) => !/[*?]/.test(pattern) && !actions[kind].has(pattern.toLowerCase()))
  if (invalid.length === 0) return
  throw invalidDocument(
    `The following action names are invalid: ${invalid.map((action) => JSON.stringify(action)).join(', ')}`,
  )
}

/** The policy of a table is about the table and its indexes, that of a stream about the stream. Which table they name is not looked at. */
function checkResources({ resource }: Statement, kind: 'table' | 'stream'): void {
  for (const pattern of resource?.patterns ?? []) {
    const relativeId = pattern.split(':').slice(5).join(':')
    if (pattern === '*' || relativeId === '' || relativeId.startsWith('*')) continue
    if (relativeId.includes('/stream/') === (kind === 'stream')) continue
    if (kind === 'stream' && relativeId.includes('*')) continue
    throw invalidDocument(`The relative-id "${relativeId}" is invalid for ARN "${pattern}"`)
  }
}

function invalidDocument(problem: string): Error {
  return validationException(`One or more parameter values were invalid: Invalid policy document: ${problem}`)
}
