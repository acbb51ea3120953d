import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { Mapping } from '../delivery/mapping.ts'
import type { Lambda } from '../lambda.ts'
import { describeMapping, type MappingState } from '../mappings/describe-mapping.ts'
import type { MappingRecord } from '../mappings/mapping-record.ts'

export async function requireMapping(lambda: Lambda, scope: Scope, uuid: string): Promise<MappingRecord> {
  const record = await lambda.mappings.get(scope, [uuid])
  if (record !== undefined) return record
  const declared = (await declaredRecords(lambda, scope)).find((one) => one.uuid === uuid)
  if (declared === undefined) throw mappingNotFound()
  return declared
}

/** Those in the store, and those that the operator has declared. */
export async function mappingsOf(lambda: Lambda, scope: Scope): Promise<readonly MappingRecord[]> {
  return [...(await lambda.mappings.list(scope)), ...(await declaredRecords(lambda, scope))]
}

export async function describedMapping(
  lambda: Lambda,
  scope: Scope,
  record: MappingRecord,
  state?: MappingState,
): Promise<object> {
  const progress = await lambda.mappingOf(scope, record).progress.load(record.uuid)
  return describeMapping(scope, record, progress.values(), state)
}

export function mappingNotFound(): ServiceError {
  return new ServiceError('ResourceNotFoundException', 'The resource you requested does not exist.')
}

/** What the operator has declared is changed where it is declared. */
export async function requireOwnMapping(lambda: Lambda, scope: Scope, uuid: string): Promise<MappingRecord> {
  const record = await lambda.mappings.get(scope, [uuid])
  if (record !== undefined) return record
  await requireMapping(lambda, scope, uuid)
  throw new ServiceError(
    'ResourceConflictException',
    'This trigger was declared where the server was started, and can only be changed there.',
  )
}

async function declaredRecords(lambda: Lambda, scope: Scope): Promise<readonly MappingRecord[]> {
  const declared = await lambda.declaredMappings()
  return declared
    .filter((mapping) => mapping.scope.accountId === scope.accountId && mapping.scope.region === scope.region)
    .map(recordOf)
}

function recordOf({ uuid, source, functionName, startFrom, settings }: Mapping): MappingRecord {
  return {
    uuid,
    sourceArn: source.arn,
    functionName,
    isEnabled: true,
    startingPosition: typeof startFrom === 'string' ? startFrom : 'AT_TIMESTAMP',
    settings,
    modifiedAtMs: 0,
    tags: {},
  }
}
