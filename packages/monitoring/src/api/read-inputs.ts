import { ServiceError } from '@hashrange/core'
import {
  serviceInputReader,
  type ReadServiceInput,
  type StructureShape,
  type UntypedInput,
} from '@hashrange/engine'
import { autoScalingShapes, cloudWatchShapes } from './shape-books.ts'

/** Parsed JSON as the input of an operation of Application Auto Scaling. */
export const readAutoScalingInput: ReadServiceInput = serviceInputReader(autoScalingShapes)

/** The same for CloudWatch. */
export const readCloudWatchInput: ReadServiceInput = serviceInputReader(cloudWatchShapes, assertRequired)

/** CloudWatch reports a missing parameter alone, before it checks the others. */
function assertRequired(shape: StructureShape, input: UntypedInput): void {
  const missing = shape.members.find(({ name, required }) => required && input[name] === undefined)
  if (missing === undefined) return
  throw new ServiceError('MissingRequiredParameterException', `The parameter ${missing.name} is required.`)
}
