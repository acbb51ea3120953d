import { serializationException } from '@hashrange/core'
import { compileConstraintChecker } from './check-constraints.ts'
import { ConstraintErrors } from './constraint-errors.ts'
import type { UntypedInput } from './inputs.ts'
import { compileInputTypeReader } from './read-types.ts'
import type { ShapeBook, StructureShape } from './shapes.ts'

/** Checks an input whose types are right, before the constraints of the API model are checked. */
export type CheckFirst = (shape: StructureShape, input: UntypedInput) => void

export type ReadServiceInput = (operation: string, body: unknown) => UntypedInput

/** Reads the inputs of a service other than DynamoDB, by the shapes of its API model. The types are right, the
 *  constraints of the model hold, and members that are unknown or null are removed. */
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

/** Times only occur at the top level of inputs. */
function assertTimes(shape: StructureShape, input: UntypedInput): void {
  for (const { name, shape: member } of shape.members) {
    const value = input[name]
    if (member.kind !== 'timestamp' || typeof value !== 'number') continue
    if (value < earliestSeconds || value > latestSeconds) {
      throw serializationException(`${name} is not a time: ${value}`)
    }
  }
}
