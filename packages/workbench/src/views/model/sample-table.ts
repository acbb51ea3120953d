import type { Call } from '../../api/api.ts'

/** Items of one partition are neighbours, so the sample is taken from several parts of the table. */
const segments = 8
const itemsOfSegment = 125

/** A table and some of its items, as a document that a model can be inferred from. */
export async function sampleTable(call: Call, TableName: string): Promise<string> {
  const { Table } = await call<{ Table: object }>('DescribeTable', { TableName })
  const pages = await Promise.all(
    Array.from({ length: segments }, (_, Segment) =>
      call<{ Items?: readonly object[] }>('Scan', {
        TableName,
        Segment,
        TotalSegments: segments,
        Limit: itemsOfSegment,
      }),
    ),
  )
  const items = pages.flatMap(({ Items = [] }) => Items)
  if (items.length === 0)
    throw new Error(`The table ${TableName} is empty, so there is nothing to infer a model from.`)
  return JSON.stringify({ Table, Items: items })
}
