import type { ModelDescription, PatternDescription } from '../description.ts'
import { createTableInputs } from './create-table-inputs.ts'
import { awsCli } from './request/aws-cli.ts'
import { exampleRequest } from './request/example-request.ts'
import { putRequests } from './sample/dynamodb-json.ts'
import { sampleData, type SampleItem } from './sample/sample-data.ts'
import type { SampleOptions } from './sample/sample-family.ts'
import type { Json } from './yaml.ts'

type Fields = { readonly [name: string]: Json }

/** The model as AWS's modelling tool exchanges it in `dynamodb_data_model.json`: the tables, sample items, and a command of the
 *  AWS CLI for each access pattern. `base` is such a file from before: what it says beyond the model is kept. */
export async function dataModel(
  description: ModelDescription,
  { base, ...options }: SampleOptions & { readonly base?: unknown } = {},
): Promise<Fields> {
  const samples = sampleData(description, options)
  const before = isFields(base) ? base : {}
  const patterns = listOf(before['access_patterns'])
  return {
    ...before,
    tables: createTableInputs(description) as unknown as Json,
    items: putRequests(samples),
    access_patterns: await Promise.all(
      description.patterns.map(async (pattern) => ({
        ...patterns.find((each) => each['pattern'] === pattern.name),
        ...(await accessPattern(description, pattern, samples)),
      })),
    ),
  }
}

async function accessPattern(
  description: ModelDescription,
  pattern: PatternDescription,
  samples: readonly SampleItem[],
): Promise<Fields> {
  const request = await exampleRequest(description, pattern, samples)
  return {
    pattern: pattern.name,
    description: pattern.description ?? `${pattern.action} ${pattern.entities.join(', ')}`,
    table: description.tables.find(({ id }) => id === pattern.table)?.name,
    index: pattern.index ?? null,
    dynamodb_operation: pattern.operation,
    ...(request === undefined
      ? { reason: 'There is no sample item for this pattern.' }
      : { implementation: awsCli(request) }),
  }
}

function listOf(value: Json): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
