import { fileURLToPath } from 'node:url'
import type { AnyModel } from '@hashrange/model'
import { modelSamples, putRequests, setUpRequests } from '@hashrange/model/export'

export type Execute = (operation: string, input: object) => Promise<unknown>

export const exampleNames = ['shop', 'music', 'leaderboard'] as const
export type ExampleName = (typeof exampleNames)[number]

/** The file of an example's model. */
export function modelFile(name: ExampleName): string {
  return fileURLToPath(new URL(`../../../examples/${name}/${name}.model.ts`, import.meta.url))
}

/** Identifiers hold times and decide where in a table an item lies: with a time that stands still, it is there each time. Sessions of a day that is
 *  still to come are not swept away. */
const samplesAt = new Date('2040-06-15T12:00:00Z')

/** Makes the tables of an example's model and fills them with items of every entity, the same each time. */
export async function loadExample(execute: Execute, name: ExampleName, itemsPerEntity = 12): Promise<void> {
  const model = await importModel(name)
  for (const { operation, input } of setUpRequests(model.description)) await execute(operation, input)
  const samples = modelSamples(model, { itemsPerEntity, now: samplesAt })
  for (const [table, requests] of Object.entries(putRequests(samples))) {
    for (let start = 0; start < requests.length; start += 25) {
      await execute('BatchWriteItem', { RequestItems: { [table]: requests.slice(start, start + 25) } })
    }
  }
}

async function importModel(name: ExampleName): Promise<AnyModel> {
  const exported = (await import(/* @vite-ignore */ modelFile(name))) as Readonly<Record<string, AnyModel>>
  const model = exported[name]
  if (model === undefined) throw new Error(`${modelFile(name)} exports no ${name}.`)
  return model
}
