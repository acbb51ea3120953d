import { listOf, objectOf, plainText, type Json, type JsonObject, type TableDesign } from '../table-design.ts'
import { designOf } from '../design-of.ts'
import { Unresolved } from '../unresolved.ts'
import { evaluate, type References } from './evaluate.ts'
import { globalTableDesign } from './global-table.ts'
import { simpleTableProperties } from './simple-table.ts'

interface TableResource {
  readonly type: string
  readonly name: string
  readonly origin: string
  readonly properties: JsonObject
  readonly references: References
  readonly region: string
}

/** The design that the properties of a table declare, or what is missing. */
export function tableDesign(resource: TableResource): TableDesign | string {
  const { type, name, origin, properties, references, region } = resource
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
  if (known['KeySchema'] === undefined && type !== simpleTable) return 'it has no KeySchema'
  const problem = type === globalTable ? whyNoReplicas(known['Replicas']) : undefined
  if (problem !== undefined) return problem
  return designOfType(type, name, origin, known, region)
}

/** The design of a table whose properties are known, in the names of its type. */
export function designOfType(
  type: string,
  name: string,
  origin: string,
  known: JsonObject,
  region: string,
): TableDesign {
  if (type === globalTable) return globalTableDesign(name, origin, known, region)
  return designOf(name, origin, type === simpleTable ? simpleTableProperties(known) : known)
}

/** What is wrong with the list of replicas. */
export function whyNoReplicas(replicas: Json | undefined): string | undefined {
  const regions = listOf(replicas).map((one) => objectOf(one)['Region'])
  if (regions.length === 0) return 'Replicas must name at least one region'
  if (regions.some((region) => typeof region !== 'string')) return 'the region of a replica is not known'
  const twice = regions.find((region, n) => regions.indexOf(region) !== n)
  return twice === undefined ? undefined : `Replicas names ${plainText(twice)} twice`
}

export const globalTable = 'AWS::DynamoDB::GlobalTable'
const simpleTable = 'AWS::Serverless::SimpleTable'

/** Without these, it would be another table. */
const necessary: ReadonlySet<string> = new Set([
  'PrimaryKey',
  'AttributeDefinitions',
  'KeySchema',
  'BillingMode',
  'LocalSecondaryIndexes',
  'GlobalSecondaryIndexes',
  'StreamSpecification',
  'TimeToLiveSpecification',
])
