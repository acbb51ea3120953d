import { ServiceError } from '@hashrange/core'
import type { ApiHandler } from '../api-handler.ts'
import { ApiRefusal } from '../api-handler.ts'
import { readScope } from '../read-scope.ts'
import { heatOverview } from './heat-overview.ts'
import { tableHeat } from './table-heat.ts'
import { isRangeName, rangeLengths } from './time-range.ts'

/** `heat?account=…&region=…`: how hot all tables are. `heat/table?…` with `{ table, range }`: all about one of them. */
export const heat: ApiHandler = async ({ engine }, { path, query, body }) => {
  const scope = readScope(query)
  const [about] = path
  if (about === undefined || about === '') return heatOverview(engine, scope)
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
  const answer = await tableHeat(engine, scope, table, range)
  if (answer === undefined) {
    throw new ServiceError(
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${table.slice(0, 255)} not found`,
    )
  }
  return answer
}
