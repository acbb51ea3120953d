import type { PatternAction } from '../description.ts'
import type { AnyPattern, PatternDefinition, PatternOptions, ReadPatternOptions } from './patterns.ts'

/** The `p` of `patterns: (p) => ({ … })`, without its types: it only notes what was asked for. */
export const patternMaker = {
  get: (entity: string, options: ReadPatternOptions = {}) => make('get', [entity], options),
  query: (query: NonNullable<PatternDefinition['query']>) => make('query', [], query, { query }),
  scan: (scan: ReadPatternOptions & NonNullable<PatternDefinition['scan']> = {}) =>
    make('scan', [], scan, { scan }),
  batchGet: (entities: string | readonly string[], options: ReadPatternOptions = {}) =>
    make('batchGet', listOf(entities), options),
  transactGet: (entities: string | readonly string[], options: PatternOptions = {}) =>
    make('transactGet', listOf(entities), options),
  lookup: (entity: string, via: string, options: ReadPatternOptions = {}) =>
    make('lookup', [entity], options, { via: `${entity}.${via}` }),
  create: (entity: string, options: PatternOptions = {}) => make('create', [entity], options),
  put: (entity: string, options: PatternOptions = {}) => make('put', [entity], options),
  upsert: (entity: string, options: PatternOptions = {}) => make('upsert', [entity], options),
  delete: (entity: string, options: PatternOptions = {}) => make('delete', [entity], options),
  update: (entity: string, options: ChangeOptions = {}) => make('update', [entity], options, changesOf(options)),
  modify: (entity: string, options: ChangeOptions = {}) => make('modify', [entity], options, changesOf(options)),
  transact: (steps: Readonly<Record<string, number>>, options: PatternOptions = {}) =>
    make('transact', [...new Set(Object.keys(steps).map((step) => step.split('.')[0] ?? ''))], options, { steps }),
}

type ChangeOptions = PatternOptions & { readonly changes?: readonly string[] }

function make(
  action: PatternAction,
  entities: readonly string[],
  options: ReadPatternOptions,
  more: Partial<PatternDefinition> = {},
): AnyPattern {
  const definition: PatternDefinition = { action, entities, options, ...more, origin: new Error('defined here') }
  // The types exist for the compiler alone.
  return { definition } as unknown as AnyPattern
}

function changesOf({ changes }: ChangeOptions): Partial<PatternDefinition> {
  return changes === undefined ? {} : { changes }
}

function listOf(entities: string | readonly string[]): readonly string[] {
  return typeof entities === 'string' ? [entities] : entities
}
