import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { HeatOverview, TableHeat } from '@hashrange/workbench/answers'
import type { ApiHandler } from '../api-handler.ts'
import { ApiRefusal } from '../api-handler.ts'
import { denialOf, may, type Visitor } from '../visitors/visitor.ts'
import { heatOverview } from './heat-overview.ts'
import { tableHeat } from './table-heat.ts'
import { isRangeName, rangeLengths } from './time-range.ts'

/** `heat?account=…&region=…`: how hot all tables are. `heat/table?…` with `{ table, range }`: all about one of them. */
export const heat: ApiHandler = async ({ engine }, { path, query, body, visitor }) => {
  const scope = visitor.scopeIn(query)
  // The same figures that CloudWatch has.
  visitor.assertMay(scope, cloudWatch, 'GetMetricData', {})
  const [about] = path
  if (about === undefined || about === '') {
    return visibleOverview(await heatOverview(engine, scope), visitor, scope)
  }
  if (about !== 'table') throw new ApiRefusal(404, 'NotFound', 'The workbench API only has heat and heat/table.')
  const { table, range } = body
  if (typeof table !== 'string' || !isRangeName(range)) {
    const ranges = Object.keys(rangeLengths).join(', ')
    throw new ApiRefusal(
      400,
      'BadRequest',
      `Name a table, and how far to look back. The range must be one of ${ranges}.`,
    )
  }
  visitor.assertMay(scope, dynamoDb, 'DescribeTable', { TableName: table })
  const answer = await tableHeat(engine, scope, table, range)
  if (answer === undefined) {
    throw new ServiceError(
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${table.slice(0, 255)} not found`,
    )
  }
  const keysDenied = keysDenial(visitor, scope, table)
  return keysDenied === undefined ? answer : withoutKeys(answer, keysDenied)
}

const dynamoDb = 'DynamoDB_20120810'
const cloudWatch = 'GraniteServiceVersion20100801'

/** Tables that whoever asks may have described, and keys of those whose keys they may know. */
function visibleOverview(overview: HeatOverview, visitor: Visitor, scope: Scope): HeatOverview {
  if (visitor.signedIn === undefined) return overview
  const tables = overview.tables
    .filter(({ tableName }) => may(visitor, scope, dynamoDb, 'DescribeTable', { TableName: tableName }))
    .map((table) => (keysDenial(visitor, scope, table.tableName) === undefined ? table : withoutHottest(table)))
  return { ...overview, tables }
}

type TableOverview = HeatOverview['tables'][number]

function withoutHottest(table: TableOverview): TableOverview {
  return {
    ...table,
    places: table.places.map(({ hottestRead: _read, hottestWrite: _write, ...place }) => place),
  }
}

/** Keys are data: they are for whoever may see what Contributor Insights reports of the table. */
function keysDenial(visitor: Visitor, scope: Scope, table: string): string | undefined {
  return denialOf(visitor, scope, cloudWatch, 'GetInsightRuleReport', {
    RuleName: `DynamoDBContributorInsights-PKC-${table}`,
  })
}

function withoutKeys(heat: TableHeat, keysDenied: string): TableHeat {
  const none = { reads: [], writes: [], throttledReads: [], throttledWrites: [] }
  return {
    ...heat,
    keysDenied,
    places: heat.places.map((place) => ({ ...place, keys: { ...place.keys, ...none } })),
  }
}
