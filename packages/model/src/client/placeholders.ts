import type { AttributeValue } from '@aws-sdk/client-dynamodb'

/** The names and values of a request's placeholders, each under a placeholder that reads like it. Every name gets one, so that
 *  none is a reserved word, and no two share one: `a-b` and `a_b` do not meet. */
export class Placeholders<Value = AttributeValue> {
  /** By the name on disk, so that a field that is called like an attribute of another name on disk is not taken for it. */
  readonly #names = new Map<string, string>()
  readonly #storedNames: ReadonlyMap<string, string>
  readonly #values = new Map<string, Value>()
  readonly #taken = new Set<string>()

  /** `storedNames` are those of attributes that are called something else in the table. */
  constructor(storedNames: ReadonlyMap<string, string> = new Map()) {
    this.#storedNames = storedNames
  }

  name(attribute: string): string {
    return this.field(this.#storedNames.get(attribute) ?? attribute, attribute)
  }

  /** A field inside of an attribute, whose name is as it is. */
  field(name: string, hint = name): string {
    const placeholder = this.#names.get(name) ?? this.#free(`#${readable(hint)}`)
    this.#names.set(name, placeholder)
    return placeholder
  }

  /** `hint` is what the value is compared with or set to. */
  value(value: Value, hint: string): string {
    const placeholder = this.#free(`:${readable(hint)}`)
    this.#values.set(placeholder, value)
    return placeholder
  }

  /** `#name = :name` */
  equals(name: string, value: Value): string {
    return `${this.name(name)} = ${this.value(value, name)}`
  }

  /** `attribute_not_exists(#name)` */
  absent(name: string): string {
    return `attribute_not_exists(${this.name(name)})`
  }

  /** The two members of a request; those without content are left out, as the service demands. */
  members(): PlaceholderMembers<Value> {
    return {
      ...(this.#names.size > 0 && {
        ExpressionAttributeNames: Object.fromEntries(
          [...this.#names].map(([name, placeholder]) => [placeholder, name]),
        ),
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
