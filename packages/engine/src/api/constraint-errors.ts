import { type ServiceError, validationException } from '@hashrange/core'
import { renderValue } from './render-value.ts'
import type { Shape } from './shapes.ts'

/** The constraints that an input violates, as far as the service lists them. */
export class ConstraintErrors {
  readonly #messages: string[] = []

  get isEmpty(): boolean {
    return this.#messages.length === 0
  }

  get isFull(): boolean {
    return this.#messages.length >= 10
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
    this.#messages.push(`Value ${rendered} at '${path}' failed to satisfy constraint: ${constraint}`)
  }

  toException(): ServiceError {
    const count = this.#messages.length
    return validationException(
      `${count} validation error${count === 1 ? '' : 's'} detected: ${this.#messages.join('; ')}`,
    )
  }
}
