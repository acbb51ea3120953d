import { ask, type Call } from '../../api/api.ts'
import type { LoadedModel } from '../../api/models.ts'

interface SetUp {
  readonly requests: readonly { readonly operation: string; readonly input: { readonly TableName?: string } }[]
  readonly samples: Readonly<Record<string, readonly object[]>>
}

/** Makes the tables of a model that are not there yet, and fills those with sample items. */
export async function createTables(
  call: Call,
  existing: ReadonlySet<string>,
  { file, description }: LoadedModel,
): Promise<readonly string[]> {
  const { requests, samples } = await ask<SetUp>('models/set-up', { file, model: description.name })
  const made = new Set<string>()
  for (const { operation, input } of requests) {
    const name = input.TableName ?? ''
    if (existing.has(name)) continue
    await call(operation, input)
    made.add(name)
  }
  for (const name of made) await putAll(call, name, samples[name] ?? [])
  return [...made]
}

const itemsPerRequest = 25

async function putAll(call: Call, table: string, requests: readonly object[]): Promise<void> {
  for (let start = 0; start < requests.length; start += itemsPerRequest) {
    await call('BatchWriteItem', { RequestItems: { [table]: requests.slice(start, start + itemsPerRequest) } })
  }
}
