import type { AnyModel } from '@hashrange/model'
import { rolePolicy } from '@hashrange/model/roles'
import {
  cdk,
  cloudFormation,
  createTableInputs,
  dataModel,
  markdown,
  modelSamples,
  noSqlWorkbench,
  putRequests,
  setUpRequests,
  terraform,
} from '@hashrange/model/export'
import { Mistake } from '../mistake.ts'

/** The formats that a model file can be converted to. */
export const formatNames = [
  'cloudformation',
  'cdk',
  'terraform',
  'create-table',
  'nosql-workbench',
  'data-model',
  'markdown',
  'sample-data',
  'iam',
] as const

export type Format = (typeof formatNames)[number]

export function isFormat(word: string): word is Format {
  return (formatNames as readonly string[]).includes(word)
}

export interface RenderOptions {
  readonly isJson: boolean
  readonly base: unknown
  readonly seed?: number
  /** For `iam`: the only role that is wanted. */
  readonly role?: string | undefined
}

export interface Rendered {
  readonly text: string
  /** What the format cannot express. */
  readonly notes: readonly string[]
}

export async function render(
  format: Format,
  model: AnyModel,
  { isJson, base, role, ...samples }: RenderOptions,
): Promise<Rendered> {
  const { description } = model
  switch (format) {
    case 'cloudformation':
      return plain(cloudFormation(description, isJson ? 'json' : 'yaml'))
    case 'cdk':
      return plain(cdk(description))
    case 'terraform':
      return plain(terraform(description))
    case 'create-table':
      return createTable(model)
    case 'nosql-workbench':
      return plain(json(noSqlWorkbench(description, { ...samples, base })))
    case 'data-model':
      return plain(json(await dataModel(description, { ...samples, base })))
    case 'markdown':
      return plain(markdown(description))
    case 'sample-data':
      return plain(json(putRequests(modelSamples(model, samples))))
    case 'iam':
      return plain(json(policiesOf(model, role)))
  }
}

/** The policy of one role, or those of all by their names. */
function policiesOf({ description }: AnyModel, only: string | undefined): unknown {
  const { roles = [], name: modelName } = description
  if (roles.length === 0) {
    throw new Mistake(`The model ${modelName} declares no roles. Add roles: { name: { patterns: [...] } } to it.`)
  }
  if (only === undefined) return Object.fromEntries(roles.map((role) => [role.name, rolePolicy(description, role)]))
  const role = roles.find(({ name }) => name === only)
  if (role !== undefined) return rolePolicy(description, role)
  throw new Mistake(`The model has no role "${only}". The roles are: ${roles.map(({ name }) => name).join(', ')}.`)
}

/** One table is one input, as the AWS CLI takes it. */
function createTable({ description }: AnyModel): Rendered {
  const inputs = createTableInputs(description)
  const others = setUpRequests(description).filter(({ operation }) => operation !== 'CreateTable')
  return {
    text: json(inputs.length === 1 ? inputs[0] : inputs),
    notes: others.map(
      ({ operation, input }) => `CreateTable cannot express this: ${operation} ${JSON.stringify(input)}`,
    ),
  }
}

function plain(text: string): Rendered {
  return { text, notes: [] }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
