import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { PatternOperation } from '../../description.ts'
import type { StoredItem } from '../item-size.ts'

/** A database in which to try a model. The checker is given one, so that it knows of no concrete database. */
export interface TrialDatabase {
  readonly client: DynamoDBClient
  close(): Promise<void>
}

/** A request in the terms of DynamoDB's API. `table` and `index` say where it reads. */
export interface Request {
  readonly operation: PatternOperation
  readonly input: Readonly<Record<string, unknown>>
}

/** Collects the names and values that an expression refers to. */
export class ExpressionAttributes {
  readonly names: Record<string, string> = {}
  readonly values: StoredItem = {}

  name(attribute: string): string {
    const known = Object.entries(this.names).find(([, name]) => name === attribute)
    if (known !== undefined) return known[0]
    const placeholder = `#n${Object.keys(this.names).length}`
    this.names[placeholder] = attribute
    return placeholder
  }

  value(value: AttributeValue): string {
    const placeholder = `:v${Object.keys(this.values).length}`
    this.values[placeholder] = value
    return placeholder
  }

  /** The parts of a request that carry them; an empty map would be refused. */
  input(): Record<string, unknown> {
    return {
      ...(Object.keys(this.names).length > 0 && { ExpressionAttributeNames: this.names }),
      ...(Object.keys(this.values).length > 0 && { ExpressionAttributeValues: this.values }),
    }
  }
}
