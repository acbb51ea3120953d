import type {
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
 *  being replaced. */
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
${names.map((name) => `  readonly ${name}: dynamodb.Table`).join('\n')}

  constructor(scope: Construct, id: string) {
    super(scope, id)

${description.tables.map((table, i) => tableSource(table, names[i] ?? '')).join('\n\n')}
  }
}
`
}

function tableSource(table: TableDescription, name: string): string {
  const properties = [
    `tableName: ${quoted(table.name)},`,
    `partitionKey: ${attribute(table.partitionKey)},`,
    table.sortKey && `sortKey: ${attribute(table.sortKey)},`,
    table.billing.mode === 'on-demand'
      ? 'billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,'
      : 'billingMode: dynamodb.BillingMode.PROVISIONED,',
    ...capacity(table),
    table.ttlAttribute !== undefined && `timeToLiveAttribute: ${quoted(table.ttlAttribute)},`,
    table.stream !== undefined && `stream: dynamodb.StreamViewType.${table.stream},`,
    table.pointInTimeRecovery === true && 'pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },',
    table.deletionProtection === true && 'deletionProtection: true,',
    table.tableClass !== undefined && `tableClass: dynamodb.TableClass.${table.tableClass},`,
    'removalPolicy: RemovalPolicy.RETAIN,',
  ]
  return [
    `    this.${name} = new dynamodb.Table(this, ${quoted(pascalCase(table.id))}, {`,
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
    ...(isGlobal ? capacity(table) : []),
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

function capacity({ billing }: TableDescription): readonly string[] {
  if (billing.mode === 'on-demand') return []
  return [`readCapacity: ${billing.readUnits},`, `writeCapacity: ${billing.writeUnits},`]
}
