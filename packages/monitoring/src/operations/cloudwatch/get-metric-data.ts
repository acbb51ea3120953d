import { ServiceError, validationException } from '@hashrange/core'
import type { GetMetricDataInput } from '../../api/cloudwatch-inputs.ts'
import { MetricQueries, type QueryResult } from '../../cloudwatch/metric-queries.ts'
import { pageToken, readPageToken, type Scope } from '@hashrange/engine'
import type { Monitoring } from '../../monitoring.ts'

const mostQueries = 500
const mostDatapoints = 100_800
/** How much a request may produce before it is divided into pages. */
const mostPeriods = 1_000_000

export async function getMetricData(
  monitoring: Monitoring,
  scope: Scope,
  input: GetMetricDataInput,
): Promise<unknown> {
  const { MetricDataQueries, StartTime, EndTime, MaxDatapoints = mostDatapoints } = input
  if (StartTime >= EndTime) {
    throw validationException('The parameter StartTime must be less than the parameter EndTime.')
  }
  if (MetricDataQueries.length > mostQueries) {
    throw validationException(`The collection MetricDataQueries must not have a size greater than ${mostQueries}.`)
  }
  if (MaxDatapoints < 1 || MaxDatapoints > mostDatapoints) {
    throw validationException(`The parameter MaxDatapoints must be between 1 and ${mostDatapoints}.`)
  }
  const queries = new MetricQueries(MetricDataQueries)
  assertAffordable(input)
  const skipped = readToken(input.NextToken)
  const results = await queries.run(monitoring, scope, StartTime * 1000, EndTime * 1000)
  const all = results.flatMap((result) => describeAll(result, input.ScanBy ?? 'TimestampDescending'))
  const { page, isMore } = cutPage(all, skipped, MaxDatapoints)
  return {
    MetricDataResults: page,
    NextToken: isMore ? pageToken([String(skipped + MaxDatapoints)]) : undefined,
    Messages: [],
  }
}

interface MetricDataResult {
  readonly Id: string
  readonly Label: string
  readonly Timestamps: readonly Date[]
  readonly Values: readonly number[]
  readonly StatusCode: 'Complete' | 'InternalError' | 'PartialData' | 'Forbidden'
  readonly Messages: readonly { readonly Code: string; readonly Value: string }[] | undefined
}

function assertAffordable({ MetricDataQueries, StartTime, EndTime }: GetMetricDataInput): void {
  let count = 0
  for (const { MetricStat, Period } of MetricDataQueries) {
    count += (EndTime - StartTime) / (MetricStat?.Period ?? Period ?? 60)
  }
  if (count <= mostPeriods) return
  throw validationException(
    `The request covers ${Math.ceil(count)} periods, which exceeds the limit of ${mostPeriods}. Increase the periods, decrease the time range, or ask for fewer metrics.`,
  )
}

function readToken(token: string | undefined): number {
  if (token === undefined) return 0
  const [skipped = ''] = readPageToken(token) ?? []
  if (/^\d{1,12}$/.test(skipped)) return Number(skipped)
  throw new ServiceError('InvalidNextToken', 'The value for parameter NextToken is not valid.')
}

function describeAll(
  { input, all, problem }: QueryResult,
  scanBy: 'TimestampDescending' | 'TimestampAscending',
): readonly MetricDataResult[] {
  const common = { Id: input.Id, StatusCode: 'Complete' } as const
  if (problem !== undefined) {
    const Messages = [{ Code: 'ArithmeticError', Value: problem }]
    return [{ ...common, Label: input.Label ?? input.Id, Timestamps: [], Values: [], Messages }]
  }
  if (all.length === 0) {
    return [{ ...common, Label: input.Label ?? input.Id, Timestamps: [], Values: [], Messages: undefined }]
  }
  return all.map((series) => {
    const values = [...series.values]
    if (scanBy === 'TimestampDescending') values.reverse()
    return {
      ...common,
      Label: series.label,
      Timestamps: values.map(([atMs]) => new Date(atMs)),
      Values: values.map(([, value]) => value),
      Messages: undefined,
    }
  })
}

/** The values from one position on, over all results. A result that continues on the next page has partial data. */
function cutPage(
  all: readonly MetricDataResult[],
  skipped: number,
  limit: number,
): { readonly page: readonly MetricDataResult[]; readonly isMore: boolean } {
  const page: MetricDataResult[] = []
  let before = 0
  for (const result of all) {
    const count = result.Values.length
    const from = Math.max(0, skipped - before)
    const to = Math.min(count, skipped + limit - before)
    const isEmptyHere = count === 0 && before >= skipped && before <= skipped + limit
    if (from < to || isEmptyHere) {
      page.push({
        ...result,
        Timestamps: result.Timestamps.slice(from, to),
        Values: result.Values.slice(from, to),
        StatusCode: to < count ? 'PartialData' : result.StatusCode,
      })
    }
    before += count
  }
  return { page, isMore: before > skipped + limit }
}
