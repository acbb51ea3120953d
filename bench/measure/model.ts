import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ModelOperation, ModelOrder } from '../model/model-order.ts'
import { alternate } from './alternate.ts'
import type { BenchContext } from './bench-context.ts'
import { OrderTaker } from './order-taker.ts'
import type { MeasurementsByOperation } from './over-http.ts'
import type { RoundResult } from './round-result.ts'

export const plainSdk = 'AWS SDK'
export const throughModel = 'through a model'

export const modelOperations: readonly ModelOperation[] = ['GetItem', 'Query']

/** The same requests within the process, made and read by a model's client and sent ready-made through the SDK. */
export async function measureModel(context: BenchContext): Promise<MeasurementsByOperation> {
  const { options, progress } = context
  const folder = join(context.folder, 'model')
  mkdirSync(folder)
  const moduleFile = fileURLToPath(new URL('../model/model-process.js', import.meta.url))
  const process = new OrderTaker<ModelOrder, RoundResult>('model', moduleFile, [folder])
  context.resources.add(() => process.stop())
  progress.show('model: filling the table')
  await process.run({ kind: 'fill', itemCount: options.smallItemCount })
  const measurements: MeasurementsByOperation = {}
  for (const operation of modelOperations.filter((name) => options.operations.includes(name))) {
    measurements[operation] = await alternate(
      [
        { name: plainSdk, way: 'sdk' as const },
        { name: throughModel, way: 'model' as const },
      ].map(({ name, way }) => ({
        name,
        pid: process.pid,
        run: (seconds: number) => process.run({ kind: 'run', way, operation, seconds }),
      })),
      // A difference of a few per cent shows only over many short rounds.
      { rounds: options.rounds * 3, secondsPerRound: options.secondsPerRound / 2 },
      (text) => progress.show(`${operation} and its model: ${text}`),
    )
  }
  process.stop()
  return measurements
}
