import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { dynamoDbJson } from '../sample/dynamodb-json.ts'
import type { Json } from '../yaml.ts'

/** The names and values of an expression, each under a placeholder that reads like it. */
export class Placeholders {
  readonly #names = new Map<string, string>()
  readonly #values = new Map<string, AttributeValue>()

  name(attribute: string): string {
    const placeholder = `#${readable(attribute)}`
    this.#names.set(placeholder, attribute)
    return placeholder
  }

  value(attribute: string, value: AttributeValue): string {
    const wanted = `:${readable(attribute)}`
    let placeholder = wanted
    for (let n = 2; this.#values.has(placeholder); n++) placeholder = `${wanted}${n}`
    this.#values.set(placeholder, value)
    return placeholder
  }

  fields(): { readonly [name: string]: Json } {
    return {
      ExpressionAttributeNames: Object.fromEntries(this.#names),
      ExpressionAttributeValues: dynamoDbJson(Object.fromEntries(this.#values)),
    }
  }
}

function readable(attribute: string): string {
  return attribute.replaceAll(/\W/g, '_')
}
