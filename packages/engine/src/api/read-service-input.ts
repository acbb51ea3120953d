import { serializationException, ServiceError } from '@hashrange/core'
import { compileConstraintChecker } from './check-constraints.ts'
import { ConstraintErrors } from './constraint-errors.ts'
import type { UntypedInput } from './inputs.ts'
import { compileInputTypeReader } from './read-types.ts'
import { inputShapeOf, type ServiceName, type StructureShape } from './shapes.ts'

/** Parsed JSON as the input of an operation of another service than DynamoDB: its types are right, the constraints of the
 *  API model hold, and members that the service does not know, or that are null, are gone. */
export function readServiceInput(service: ServiceName, operation: string, body: unknown): UntypedInput {
  const name = `${service}.${operation}`
  let reader = readers.get(name)
  if (reader === undefined) {
    reader = compileServiceInputReader(service, operation)
    readers.set(name, reader)
  }
  return reader(body)
}

const readers = new Map<string, (body: unknown) => UntypedInput>()

function compileServiceInputReader(service: ServiceName, operation: string): (body: unknown) => UntypedInput {
  const shape = inputShapeOf(operation, service)
  const readTypes = compileInputTypeReader(shape)
  const checkConstraints = compileConstraintChecker(shape)
  return (body) => {
    const input = readTypes(body)
    assertTimes(shape, input)
    if (service === 'cloudwatch') assertRequired(shape, input)
    const errors = new ConstraintErrors()
    checkConstraints?.(input, '', errors)
    if (!errors.isEmpty) throw errors.toException()
    return input
  }
}

/** CloudWatch names a missing parameter by itself, before it looks at the others. */
function assertRequired(shape: StructureShape, input: UntypedInput): void {
  const missing = shape.members.find(({ name, required }) => required && input[name] === undefined)
  if (missing === undefined) return
  throw new ServiceError('MissingRequiredParameterException', `The parameter ${missing.name} is required.`)
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
