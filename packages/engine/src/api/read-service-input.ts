import { serializationException } from '@hashrange/core'
import { compileConstraintChecker } from './check-constraints.ts'
import { ConstraintErrors } from './constraint-errors.ts'
import type { UntypedInput } from './inputs.ts'
import { compileInputTypeReader } from './read-types.ts'
import type { ShapeBook, StructureShape } from './shapes.ts'

/** Looks at an input whose types are right, before the constraints of the API model are checked. */
export type CheckFirst = (shape: StructureShape, input: UntypedInput) => void

export type ReadServiceInput = (operation: string, body: unknown) => UntypedInput

/** Reads the inputs of another service than DynamoDB, by the shapes of its API model: parsed JSON becomes an input whose types are right, for which the
 *  constraints of the model hold, and from which members that the service does not know, or that are null, are gone. */
export function serviceInputReader(book: ShapeBook, checkFirst?: CheckFirst): ReadServiceInput {
  const readers = new Map<string, (body: unknown) => UntypedInput>()
  return (operation, body) => {
    let reader = readers.get(operation)
    if (reader === undefined) {
      reader = compileServiceInputReader(book.inputShapeOf(operation), checkFirst)
      readers.set(operation, reader)
    }
    return reader(body)
  }
}

function compileServiceInputReader(
  shape: StructureShape,
  checkFirst: CheckFirst | undefined,
): (body: unknown) => UntypedInput {
  const readTypes = compileInputTypeReader(shape)
  const checkConstraints = compileConstraintChecker(shape)
  return (body) => {
    const input = readTypes(body)
    assertTimes(shape, input)
    checkFirst?.(shape, input)
    const errors = new ConstraintErrors()
    checkConstraints?.(input, '', errors)
    if (!errors.isEmpty) throw errors.toException()
    return input
  }
}

/** The years 1 to 9999. No calendar reaches further, and no loop over periods of time would end. */
const earliestSeconds = -62_135_596_800
const latestSeconds = 253_402_300_799

/** Times stand at the top of inputs alone. */
function assertTimes(shape: StructureShape, input: UntypedInput): void {
  for (const { name, shape: member } of shape.members) {
    const value = input[name]
    if (member.kind !== 'timestamp' || typeof value !== 'number') continue
    if (value < earliestSeconds || value > latestSeconds) {
      throw serializationException(`${name} is not a time: ${value}`)
    }
  }
}
