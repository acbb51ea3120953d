import { ServiceError, validationException } from '@hashrange/core'
import { readParameters } from '@hashrange/core/partiql'
import type { BatchExecuteStatementInput, BatchStatementRequestInput } from '../api/statement-inputs.ts'
import type { ConsumedCapacity } from '../capacity/consumed-capacity.ts'
import { ThrottledError } from '../capacity/throttled.ts'
import { readUnits, tableUnits, writeUnits, type Units } from '../capacity/units.ts'
import type { Table } from '../catalog/table.ts'
import type { EngineParts } from './engine-parts.ts'
import { keyText } from '../store/key-text.ts'
import { keyInTable } from '../catalog/key-in-table.ts'
import { checkKey } from '../items/check-schema.ts'
import type { ShownItem } from '../items/projection.ts'
import { storedSizeBytes } from '../items/stored-item.ts'
import {
  prepareStatement,
  type PreparedSelect,
  type PreparedStatement,
  type PreparedWrite,
} from '../partiql/prepared-statement.ts'
import { shownItem } from '../partiql/run-select.ts'
import { selectOne } from '../partiql/select-one.ts'
import {
  checkStatementKey,
  checkWrittenKey,
  runStatementWrite,
  statementWrite,
} from '../partiql/statement-write.ts'
import { viewItems } from '../reads/view-items.ts'
import { Pace } from '../reads/pace.ts'
import { refusedParts, type Scope } from '../scope.ts'
import type { Key } from '../store/store.ts'
import { UnitsByTable } from '../transactions/units-by-table.ts'
import { existsOutsideOfTransaction } from './execute-statement.ts'

export interface BatchExecuteStatementOutput {
  readonly Responses: readonly BatchStatementResponse[]
  readonly ConsumedCapacity?: readonly ConsumedCapacity[] | undefined
}

export interface BatchStatementResponse {
  readonly TableName?: string
  readonly Item?: ShownItem | undefined
  readonly Error?: BatchStatementError
}

interface BatchStatementError {
  readonly Code: string
  readonly Message: string
  readonly Item?: unknown
}

interface Member {
  readonly request: BatchStatementRequestInput
  /** Or the reason why there is none. */
  readonly statement: PreparedStatement | BatchStatementError
  /** Why it is not to be run at all. */
  readonly refusal: ServiceError | undefined
}

/** The answer to one statement, and what it cost. */
interface MemberAnswer {
  readonly response: BatchStatementResponse
  readonly cost?: readonly [tableName: string, units: Units, namedAs: string]
  /** What it cost although it failed. */
  readonly failureCost?: readonly [tableName: string, units: number]
}

/** Each statement is by itself: an error in one is reported in its place, and does not keep the others from running. */
export async function batchExecuteStatement(
  engine: EngineParts,
  scope: Scope,
  input: BatchExecuteStatementInput,
): Promise<BatchExecuteStatementOutput> {
  const refused = refusedParts(scope)
  const members = input.Statements.map((request, position) => prepareMember(request, refused?.get(position)))
  assertOneKind(members)
  const pace = new Pace()
  const planned = members.map((member) => planMember(engine, scope, member, pace))
  assertDistinctItems(planned)
  const answers = await Promise.all(planned.map(answerMember))
  const units = new UnitsByTable()
  for (const { cost, failureCost } of answers) {
    if (cost !== undefined) units.add(...cost)
    if (failureCost !== undefined) units.addFailed(...failureCost)
  }
  return {
    Responses: answers.map(({ response }) => response),
    ConsumedCapacity: units.isEmpty ? undefined : units.consumed(input.ReturnConsumedCapacity),
  }
}

/** A statement that its caller may not run is read all the same: a batch has statements of one kind. */
function prepareMember(request: BatchStatementRequestInput, refusal: ServiceError | undefined): Member {
  try {
    const statement = prepareStatement(request.Statement, readParameters(request.Parameters))
    return { request, statement, refusal }
  } catch (error) {
    return { request, statement: errorOf(error), refusal }
  }
}

function assertOneKind(members: readonly Member[]): void {
  const kinds = members.flatMap(({ statement }) => ('kind' in statement ? [statement.kind === 'select'] : []))
  if (new Set(kinds).size < 2) return
  throw validationException('Read and write requests together in the same batch is not supported.')
}

/** What a statement does to which item, or the error that it is answered with. */
type Planned = { readonly table: Table; readonly key: Key; readonly run: () => Promise<MemberAnswer> } | Refused

interface Refused {
  readonly error: BatchStatementError
}

function planMember(
  engine: EngineParts,
  scope: Scope,
  { request, statement, refusal }: Member,
  pace: Pace,
): Planned {
  if (refusal !== undefined) return { error: errorOf(refusal) }
  if (!('kind' in statement)) return { error: statement }
  try {
    const table = engine.requireTable(scope, statement.tableName)
    return statement.kind === 'select'
      ? readOne(engine, table, statement, request, pace)
      : writeOne(engine, table, statement, request)
  } catch (error) {
    return { error: errorOf(error) }
  }
}

/** As recorded on AWS by others, for reads as well as for writes: https://github.com/nubo-db/dynoxide, tests/partiql.rs. */
function assertDistinctItems(planned: readonly Planned[]): void {
  const seen = new Set<string>()
  for (const one of planned) {
    if ('error' in one) continue
    const key = keyText(one.key)
    if (seen.has(key)) throw validationException('Provided list of item keys contains duplicates')
    seen.add(key)
  }
}

async function answerMember(planned: Planned): Promise<MemberAnswer> {
  // A statement that is refused before it runs does not show its table.
  if ('error' in planned) return { response: { Error: planned.error } }
  try {
    return await planned.run()
  } catch (error) {
    return { response: { TableName: planned.table.name, Error: errorOf(error) } }
  }
}

function readOne(
  engine: EngineParts,
  table: Table,
  statement: PreparedSelect,
  request: BatchStatementRequestInput,
  pace: Pace,
): Planned {
  const { key, columns } = selectOne(table, statement, 'BatchExecuteStatement')
  checkStatementKey(table, key)
  checkKey(table, key)
  const storeKey = keyInTable(table, key)
  const run = async (): Promise<MemberAnswer> => {
    const consistent = request.ConsistentRead === true
    const admission = engine.capacity.admitRead(table, undefined, storeKey, key)
    const value = await viewItems(engine, table, consistent, (snapshot) =>
      engine.seen(snapshot, consistent).get(storeKey),
    )
    const units = readUnits(value === undefined ? 0 : storedSizeBytes(value), consistent)
    engine.capacity.didRead(table, undefined, storeKey, units, key)
    admission?.release()
    if (value !== undefined && columns !== undefined) await pace.before(value.length)
    return {
      response: { TableName: table.name, Item: value && shownItem(value, columns) },
      cost: [table.name, tableUnits(units), statement.tableName],
    }
  }
  return { table, key: storeKey, run }
}

function writeOne(
  engine: EngineParts,
  table: Table,
  statement: PreparedWrite,
  request: BatchStatementRequestInput,
): Planned {
  if (statement.kind === 'exists') throw existsOutsideOfTransaction()
  const write = statementWrite(table, statement, request.ReturnValuesOnConditionCheckFailure)
  checkWrittenKey(table, statement, write.item)
  write.check()
  const run = async (): Promise<MemberAnswer> => {
    let foundBytes: number | undefined
    try {
      const { item, units } = await runStatementWrite(engine, write, (bytes) => {
        foundBytes = bytes
      })
      return { response: { TableName: table.name, Item: item }, cost: [table.name, units, statement.tableName] }
    } catch (error) {
      const response = { TableName: table.name, Error: errorOf(error) }
      // Measured on AWS by dynoxide: a statement that the item refuses costs as much as that item.
      return foundBytes === undefined
        ? { response }
        : { response, failureCost: [table.name, writeUnits(foundBytes)] }
    }
  }
  return { table, key: keyInTable(table, write.item), run }
}

/** The codes of statements in a batch, by the exceptions that they stand for. */
const codes: Readonly<Record<string, string>> = {
  AccessDeniedException: 'AccessDenied',
  ConditionalCheckFailedException: 'ConditionalCheckFailed',
  DuplicateItemException: 'DuplicateItem',
  ItemCollectionSizeLimitExceededException: 'ItemCollectionSizeLimitExceeded',
  ProvisionedThroughputExceededException: 'ProvisionedThroughputExceeded',
  ReplicatedWriteConflictException: 'TransactionConflict',
  RequestLimitExceeded: 'RequestLimitExceeded',
  ResourceNotFoundException: 'ResourceNotFound',
  ThrottlingException: 'ThrottlingError',
  TransactionConflictException: 'TransactionConflict',
  ValidationException: 'ValidationError',
}

function errorOf(error: unknown): BatchStatementError {
  const code = error instanceof ServiceError ? codes[error.code] : undefined
  if (!(error instanceof ServiceError) || code === undefined) throw error
  // The error of a statement has no member for throttling reasons.
  if (error instanceof ThrottledError) return { Code: code, Message: error.message }
  return { Code: code, Message: error.message, ...error.members }
}
