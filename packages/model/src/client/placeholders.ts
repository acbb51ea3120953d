import type { AttributeValue } from '@aws-sdk/client-dynamodb'

/** The names and values of a request's placeholders, each under a placeholder that reads like it. Every name gets one, so that
 *  none is a reserved word, and no two share one: `a-b` and `a_b` do not meet. */
export class Placeholders<Value = AttributeValue> {
  readonly #names = new Map<string, string>()
  readonly #fields = new Map<string, string>()
  readonly #storedNames: ReadonlyMap<string, string>
  readonly #values = new Map<string, Value>()
  readonly #taken = new Set<string>()

  /** `storedNames` are those of attributes that are called something else in the table. */
  constructor(storedNames: ReadonlyMap<string, string> = new Map()) {
    this.#storedNames = storedNames
  }

  /** A field inside of an attribute, whose name is as it is. */
  field(name: string): string {
    if (!this.#storedNames.has(name)) return this.name(name)
    const known = this.#fields.get(name)
    if (known !== undefined) return known
    const placeholder = this.#free(`#${readable(name)}`)
    this.#fields.set(name, placeholder)
    return placeholder
  }

  name(attribute: string): string {
    const known = this.#names.get(attribute)
    if (known !== undefined) return known
    const placeholder = this.#free(`#${readable(attribute)}`)
    this.#names.set(attribute, placeholder)
    return placeholder
  }

  /** `hint` is what the value is compared with or set to. */
  value(value: Value, hint: string): string {
    const placeholder = this.#free(`:${readable(hint)}`)
    this.#values.set(placeholder, value)
    return placeholder
  }

  /** The two members of a request; those without content are left out, as the service demands. */
  members(): PlaceholderMembers<Value> {
    return {
      ...(this.#names.size > 0 && {
        ExpressionAttributeNames: Object.fromEntries([
          ...[...this.#names].map(([name, placeholder]) => [placeholder, this.#storedNames.get(name) ?? name]),
          ...[...this.#fields].map(([name, placeholder]) => [placeholder, name]),
        ]),
      }),
      ...(this.#values.size > 0 && { ExpressionAttributeValues: Object.fromEntries(this.#values) }),
    }
  }

  #free(wanted: string): string {
    let placeholder = wanted
    for (let n = 2; this.#taken.has(placeholder); n++) placeholder = `${wanted}${n}`
    this.#taken.add(placeholder)
    return placeholder
  }
}

export interface PlaceholderMembers<Value = AttributeValue> {
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues?: Record<string, Value>
}

function readable(name: string): string {
  const text = name.replaceAll(/\W+/g, '_').slice(0, 40)
  return /[A-Za-z0-9]/.test(text) ? text : 'attribute'
}
