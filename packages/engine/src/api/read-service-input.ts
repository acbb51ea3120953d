import { ServiceError } from '@hashrange/core'
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
