import { validationException } from '@hashrange/core'
import { type ConstraintChecker, compileConstraintChecker } from './check-constraints.ts'
import { checkSearchBody } from './check-search-body.ts'
import { checkTableName } from './check-table-name.ts'
import { ConstraintErrors } from './constraint-errors.ts'
import type { InputOf, UntypedInput } from './inputs.ts'
import { earlyCheckOf, lateCheckOf } from './late-checks.ts'
import { compileInputTypeReader } from './read-types.ts'
import { inputShapeOf, type StructureShape } from './shapes.ts'

/** Turns parsed JSON into the input of an operation: its types are right, the constraints of the API model hold, and
 *  members that are unknown or null are removed. What an attribute value *means* is checked later, when it is read,
 *  as in the service. */
export function readInput<Operation extends string>(operation: Operation, body: unknown): InputOf<Operation>
export function readInput(operation: string, body: unknown): UntypedInput {
  let reader = readers.get(operation)
  if (reader === undefined) {
    reader = compileInputReader(operation)
    readers.set(operation, reader)
  }
  return reader(body)
}

type InputReader = (body: unknown) => UntypedInput

/** The reader of each operation is compiled at its first request: compiling all of them would slow down the start. */
const readers = new Map<string, InputReader>()

function compileInputReader(operation: string): InputReader {
  const shape = inputShapeOf(operation)
  const checkBody = operation === 'SearchVectors' ? checkSearchBody : undefined
  const readTypes = compileInputTypeReader(shape)
  const checkTable = compileTableNameCheck(operation, shape)
  const checkEarly = earlyCheckOf(operation)
  const checkConstraints = compileConstraintChecker(shape)
  const checkLate = lateCheckOf(operation)
  return (body) => {
    checkBody?.(body)
    const input = readTypes(body)
    checkTable?.(input)
    checkEarly?.(input)
    if (checkConstraints !== undefined) assertConstraints(checkConstraints, input, '')
    checkLate?.(input)
    return input
  }
}

const itemOperations: ReadonlySet<string> = new Set([
  'DeleteItem',
  'GetItem',
  'PutItem',
  'Query',
  'Scan',
  'SearchVectors',
  'UpdateItem',
])

/** The service checks the table name first, and if it is invalid, reports nothing else. If it is missing, operations
 *  on items list that among the other constraints, and operations on tables report it alone. An UpdateItem without a
 *  key lists everything together. */
function compileTableNameCheck(
  operation: string,
  shape: StructureShape,
): ((input: UntypedInput) => void) | undefined {
  const member = shape.members.find(({ name }) => name === 'TableName')
  if (member === undefined) return undefined
  const reportsMissing = member.required && !itemOperations.has(operation)
  const listsWithKey = operation === 'UpdateItem'
  return (input) => {
    const name = input['TableName']
    if (name !== undefined) {
      if (listsWithKey && input['Key'] === undefined) return
      assertConstraints(checkTableName, name, 'tableName')
    } else if (reportsMissing) {
      throw validationException("The parameter 'TableName' is required but was not present in the request")
    }
  }
}

function assertConstraints(check: ConstraintChecker, value: unknown, path: string): void {
  const errors = new ConstraintErrors()
  check(value, path, errors)
  if (!errors.isEmpty) throw errors.toException()
}
