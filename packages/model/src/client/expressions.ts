import type { AttributeValue } from '@aws-sdk/client-dynamodb'

/** Collects the names and values of a request's expressions. Names keep their own words where they can, so that a request
 *  that is explained can be read. */
export class Expressions {
  readonly #names = new Map<string, string>()
  readonly #values: AttributeValue[] = []

  name(attribute: string): string {
    let placeholder = this.#names.get(attribute)
    if (placeholder === undefined) {
      placeholder = /^\w{1,60}$/.test(attribute) ? `#${attribute}` : `#n${this.#names.size}_`
      this.#names.set(attribute, placeholder)
    }
    return placeholder
  }

  value(value: AttributeValue): string {
    this.#values.push(value)
    return `:v${this.#values.length}`
  }

  /** The two members of a request; those without content are left out, as the service demands. */
  attributes(): ExpressionAttributes {
    return {
      ...(this.#names.size > 0 && {
        ExpressionAttributeNames: Object.fromEntries(
          [...this.#names].map(([name, placeholder]) => [placeholder, name]),
        ),
      }),
      ...(this.#values.length > 0 && {
        ExpressionAttributeValues: Object.fromEntries(this.#values.map((value, i) => [`:v${i + 1}`, value])),
      }),
    }
  }
}

export interface ExpressionAttributes {
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues?: Record<string, AttributeValue>
}
