import { ModelError } from '../errors.ts'

/** For what cannot be resolved. Where definitions are checked, a check has already said more about it. */
export function unsound(name: string): ModelError {
  return new ModelError(
    'INVALID_MODEL',
    `${name} is not valid. This bundle does not say why, because it was made for production. Load the model without a bundler, for example in a test.`,
  )
}
