import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importItems, Progress, type DatabasePort } from '@hashrange/transfer'
import type { ExistingTable } from '@hashrange/model/import'
import { exportedTable, keyedTable } from './exported-table.ts'
import { interruptible } from './interruption.ts'
import { Mistake } from '../mistake.ts'
import type { ObjectPlace } from './open-place.ts'

type Item = ExistingTable['items'][number]

/** Some items of an export, each as likely as any other: all of it is read, and no more than these are kept. */
export async function sampleExport(
  place: ObjectPlace,
  tableName: string,
  key: string | undefined,
  sample: number,
): Promise<ExistingTable> {
  const blueprint = key === undefined ? await exportedTable(place, tableName) : keyedTable(tableName, key)
  if (blueprint === undefined) {
    throw new Mistake('The export does not say what the key of its table is. Name it, such as --key pk:S,sk:S.')
  }
  const items: Item[] = []
  let count = 0
  const to: DatabasePort = {
    name: 'a sample',
    request: async (operation, input) => {
      if (operation === 'DescribeTable') return { Table: blueprint.create }
      const requests = (input as Writes).RequestItems[tableName] ?? []
      for (const { PutRequest } of requests) {
        const at = count++ < sample ? items.length : Math.floor(Math.random() * count)
        if (at < sample) items[at] = PutRequest.Item
      }
      return {}
    },
    close: () => Promise.resolve(),
  }
  const folder = await mkdtemp(join(tmpdir(), 'hashrange-infer-'))
  try {
    const { errors, isComplete } = await interruptible((signal) =>
      importItems({
        to,
        tableName,
        ...place,
        statePath: join(folder, 'state.json'),
        progress: new Progress(process.stderr),
        signal,
        badRow: () => undefined,
      }),
    )
    if (!isComplete) throw new Mistake('The export was not read to its end.')
    if (errors > 0) console.error(`${errors} rows of the export are not items of the table, and were skipped.`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  if (count === 0) throw new Mistake('The export has no items, so there is nothing to infer a model from.')
  return { description: { ...blueprint.create, ItemCount: count }, items }
}

interface Writes {
  readonly RequestItems: Readonly<Record<string, readonly { readonly PutRequest: { readonly Item: Item } }[]>>
}
