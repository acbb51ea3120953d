import { ModelError } from '../errors.ts'
import type { StandardIssue, StandardSchema } from './standard-schema.ts'

/** What the validator makes of the value. Only validators that answer at once: a key must be known before a request. */
export function applyValidator(validator: StandardSchema<unknown, unknown>, value: unknown, path: string): unknown {
  const result = validator['~standard'].validate(value)
  if (result instanceof Promise) {
    throw new ModelError('INVALID_MODEL', `The validator of ${path} is asynchronous. Use a synchronous one.`)
  }
  if (result.issues === undefined) return result.value
  throw new ModelError('INVALID_VALUE', `${path}: ${result.issues.map(sentence).join('; ')}.`, { attribute: path })
}

function sentence({ message, path = [] }: StandardIssue): string {
  const where = path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.')
  return where === '' ? message : `${where}: ${message}`
}
