import { ServiceError } from '@hashrange/core'
import { renderValue } from './render-value.ts'
import type { Shape } from './shapes.ts'

/** One constraint of the API model that an input violates. */
export interface Violation {
  /** The value as the service prints it: `null` if it is missing, and otherwise in quotes. */
  readonly rendered: string
  readonly path: string
  readonly constraint: string
}

/** The error for an input that violates constraints. */
export class ConstraintViolations extends ServiceError {
  readonly #violations: readonly Violation[]

  constructor(violations: readonly Violation[]) {
    super('ValidationException', listed(violations.map(wordsOf)))
    this.#violations = violations
  }

  get violations(): readonly Violation[] {
    return this.#violations
  }
}

export function wordsOf({ rendered, path, constraint }: Violation): string {
  return `Value ${rendered} at '${path}' failed to satisfy constraint: ${constraint}`
}

/** The prefix that the service puts before what it has found wrong with a request. */
export function listed(errors: readonly string[]): string {
  return `${errors.length} validation error${errors.length === 1 ? '' : 's'} detected: ${errors.join('; ')}`
}

/** The constraints that an input violates, as many as the service lists. */
export class ConstraintErrors {
  readonly #violations: Violation[] = []

  get isEmpty(): boolean {
    return this.#violations.length === 0
  }

  get isFull(): boolean {
    return this.#violations.length >= 10
  }

  add(value: unknown, shape: Shape, path: string, constraint: string): void {
    if (this.isFull) return
    this.addRendered(
      value === null || value === undefined ? 'null' : `'${renderValue(value, shape)}'`,
      path,
      constraint,
    )
  }

  addRendered(rendered: string, path: string, constraint: string): void {
    if (this.isFull) return
    this.#violations.push({ rendered, path, constraint })
  }

  toException(): ServiceError {
    return new ConstraintViolations(this.#violations)
  }
}
