import type {
  GlobalTableDescription,
  IndexDescription,
  KeyAttributeDescription,
  ModelDescription,
  ProjectionDescription,
  ScalarType,
  TableDescription,
} from '../description.ts'
import { camelCase, distinctNames, pascalCase, quoted } from './source-text.ts'

/** The tables as a CDK construct in TypeScript: `new ShopTables(stack, 'Tables').main.grantReadData(handler)`.
 *  It uses `Table` and not `TableV2`, which cannot have a fixed write capacity, so that billing can change without the table
 *  being replaced. Global tables are a `TableV2`, which is what can have replicas. */
export function cdk(description: ModelDescription): string {
  const names = distinctNames(description.tables, ({ id }) => camelCase(id))
  const imports = [
    "import { RemovalPolicy } from 'aws-cdk-lib'",
    "import * as dynamodb from 'aws-cdk-lib/aws-dynamodb'",
    "import { Construct } from 'constructs'",
  ]
  return `${imports.join('\n')}

/** The tables of ${description.name.replaceAll('*/', '')}. */
export class ${pascalCase(description.name)}Tables extends Construct {
${names.map((name, i) => `  readonly ${name}: dynamodb.${classOf(description.tables[i])}`).join('\n')}

  constructor(scope: Construct, id: string) {
    super(scope, id)

${description.tables.map((table, i) => tableSource(table, names[i] ?? '')).join('\n\n')}
  }
}
`
}

function classOf(table: TableDescription | undefined): 'Table' | 'TableV2' {
  return table?.global === undefined ? 'Table' : 'TableV2'
}

function tableSource(table: TableDescription, name: string): string {
  const { global } = table
  const properties = [
    `tableName: ${quoted(table.name)},`,
    `partitionKey: ${attribute(table.partitionKey)},`,
    table.sortKey && `sortKey: ${attribute(table.sortKey)},`,
    ...(global === undefined ? billing(table) : [globalBilling(table)]),
    table.ttlAttribute !== undefined && `timeToLiveAttribute: ${quoted(table.ttlAttribute)},`,
    table.stream !== undefined && global === undefined && `stream: dynamodb.StreamViewType.${table.stream},`,
    table.pointInTimeRecovery === true && 'pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },',
    table.deletionProtection === true && 'deletionProtection: true,',
    table.tableClass !== undefined && `tableClass: dynamodb.TableClass.${table.tableClass},`,
    ...(global === undefined ? [] : replicas(table, global)),
    'removalPolicy: RemovalPolicy.RETAIN,',
  ]
  return [
    `    this.${name} = new dynamodb.${classOf(table)}(this, ${quoted(pascalCase(table.id))}, {`,
    ...indented(properties),
    '    })',
    ...table.indexes.map((index) => indexSource(table, index, name)),
  ].join('\n')
}

function indexSource(table: TableDescription, index: IndexDescription, name: string): string {
  const isGlobal = index.kind === 'global'
  const properties = [
    `indexName: ${quoted(index.name)},`,
    isGlobal && keys('partitionKey', index.partitionKeys),
    index.sortKeys.length > 0 && keys('sortKey', index.sortKeys),
    ...projection(index.projection),
    ...(isGlobal && table.global === undefined ? capacity(table) : []),
  ]
  const method = isGlobal ? 'addGlobalSecondaryIndex' : 'addLocalSecondaryIndex'
  return [`    this.${name}.${method}({`, ...indented(properties), '    })'].join('\n')
}

function indented(properties: readonly (string | false | undefined)[]): readonly string[] {
  return properties.filter((line) => typeof line === 'string').map((line) => `      ${line}`)
}

/** One attribute, or those of a multi-attribute key. */
function keys(property: string, attributes: readonly KeyAttributeDescription[]): string {
  const [first] = attributes
  if (first !== undefined && attributes.length === 1) return `${property}: ${attribute(first)},`
  return `${property}s: [${attributes.map(attribute).join(', ')}],`
}

const attributeTypes: Readonly<Record<ScalarType, string>> = { S: 'STRING', N: 'NUMBER', B: 'BINARY' }

function attribute({ name, type }: KeyAttributeDescription): string {
  return `{ name: ${quoted(name)}, type: dynamodb.AttributeType.${attributeTypes[type]} }`
}

function projection(description: ProjectionDescription): readonly string[] {
  if (description.type !== 'INCLUDE') return [`projectionType: dynamodb.ProjectionType.${description.type},`]
  if (description.attributes.length === 0) return ['projectionType: dynamodb.ProjectionType.KEYS_ONLY,']
  return [
    'projectionType: dynamodb.ProjectionType.INCLUDE,',
    `nonKeyAttributes: [${description.attributes.map(quoted).join(', ')}],`,
  ]
}

function billing(table: TableDescription): readonly string[] {
  const mode = table.billing.mode === 'on-demand' ? 'PAY_PER_REQUEST' : 'PROVISIONED'
  return [`billingMode: dynamodb.BillingMode.${mode},`, ...capacity(table)]
}

/** The writes of a global table must scale, so they scale between the same two numbers. Its indexes follow it. */
function globalBilling({ billing: asked }: TableDescription): string {
  if (asked.mode === 'on-demand') return 'billing: dynamodb.Billing.onDemand(),'
  const { readUnits, writeUnits } = asked
  const writes = `dynamodb.Capacity.autoscaled({ minCapacity: ${writeUnits}, maxCapacity: ${writeUnits} })`
  return `billing: dynamodb.Billing.provisioned({ readCapacity: dynamodb.Capacity.fixed(${readUnits}), writeCapacity: ${writes} }),`
}

/** The table itself is in the region of its stack. */
function replicas(
  { stream }: TableDescription,
  { regions, consistency }: GlobalTableDescription,
): readonly string[] {
  const [first = '', ...others] = regions
  const isStrong = consistency === 'strong'
  return [
    ...(isStrong && stream !== undefined ? [`dynamoStream: dynamodb.StreamViewType.${stream},`] : []),
    `// Deploy the stack to ${first}.`,
    `replicas: [${others.map((region) => `{ region: ${quoted(region)} }`).join(', ')}],`,
    ...(isStrong ? ['multiRegionConsistency: dynamodb.MultiRegionConsistency.STRONG,'] : []),
  ]
}

function capacity({ billing }: TableDescription): readonly string[] {
  if (billing.mode === 'on-demand') return []
  return [`readCapacity: ${billing.readUnits},`, `writeCapacity: ${billing.writeUnits},`]
}
