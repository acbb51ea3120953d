import { setAttribute } from '@hashrange/core'
import type { AttributeValue } from '../../../api-types.ts'
import type { PathStep } from './attribute-path.ts'

/** Names and values of an expression, under placeholders that read like them. Every name gets one: so none is a reserved word. */
export class Placeholders {
  readonly #names = new Map<string, string>()
  readonly #byName = new Map<string, string>()
  readonly #values = new Map<string, AttributeValue>()

  name(attribute: string): string {
    const known = this.#byName.get(attribute)
    if (known !== undefined) return known
    const placeholder = free(`#${readable(attribute)}`, this.#names)
    this.#names.set(placeholder, attribute)
    this.#byName.set(attribute, placeholder)
    return placeholder
  }

  path(steps: readonly PathStep[]): string {
    return steps
      .map((step, position) =>
        step.kind === 'index' ? `[${String(step.at)}]` : `${position === 0 ? '' : '.'}${this.name(step.name)}`,
      )
      .join('')
  }

  /** `hint` is what the value is compared with, or a word for it. */
  value(hint: string, value: AttributeValue): string {
    const placeholder = free(`:${readable(hint)}`, this.#values)
    this.#values.set(placeholder, value)
    return placeholder
  }

  /** The members of a request; the service refuses empty ones. */
  members(): {
    readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
    readonly ExpressionAttributeValues?: Readonly<Record<string, AttributeValue>>
  } {
    const values: Record<string, AttributeValue> = {}
    for (const [placeholder, value] of this.#values) setAttribute(values, placeholder, value)
    return {
      ...(this.#names.size > 0 && { ExpressionAttributeNames: Object.fromEntries(this.#names) }),
      ...(this.#values.size > 0 && { ExpressionAttributeValues: values }),
    }
  }
}

function readable(name: string): string {
  const text = name.replaceAll(/\W+/g, '_').slice(0, 40)
  return /[A-Za-z0-9]/.test(text) ? text : 'attribute'
}

function free(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  let placeholder = wanted
  for (let n = 2; taken.has(placeholder); n++) placeholder = `${wanted}${String(n)}`
  return placeholder
}
