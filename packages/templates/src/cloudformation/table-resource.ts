import { type Json, type JsonObject, type TableDesign } from '../table-design.ts'
import { designOf } from '../design-of.ts'
import { Unresolved } from '../unresolved.ts'
import { evaluate, type References } from './evaluate.ts'

interface TableResource {
  readonly name: string
  readonly origin: string
  readonly properties: JsonObject
  readonly references: References
}

/** The design that the properties of `AWS::DynamoDB::Table` declare, or what is missing. */
export function tableDesign({ name, origin, properties, references }: TableResource): TableDesign | string {
  const known: Record<string, Json> = {}
  for (const [property, value] of Object.entries(properties)) {
    const missing: Unresolved[] = []
    const evaluated = evaluate(value, references, missing)
    if (evaluated instanceof Unresolved) missing.push(evaluated)
    const [first] = missing
    // A key of AWS KMS, or a tag, need not be known for the table to be what it is.
    if (first !== undefined && necessary.has(property)) return `${property} is not known, because ${first.reason}`
    if (evaluated !== undefined && !(evaluated instanceof Unresolved)) known[property] = evaluated
  }
  if (known['KeySchema'] === undefined) return 'it has no KeySchema'
  return designOf(name, origin, known)
}

/** Without these, it would be another table. */
const necessary: ReadonlySet<string> = new Set([
  'AttributeDefinitions',
  'KeySchema',
  'BillingMode',
  'LocalSecondaryIndexes',
  'GlobalSecondaryIndexes',
  'StreamSpecification',
  'TimeToLiveSpecification',
])
