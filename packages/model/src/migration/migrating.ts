import { entityRuntimes, patternFunction } from '../client/client-functions.ts'
import type { Migration, PlannedModel } from '../client/client-functions.ts'
import type { Connection } from '../client/connection.ts'
import { withinDeclared } from '../client/declared-changes.ts'
import { entityClient, plannedWrites } from '../client/entity-client.ts'
import type { EntityWrites } from '../client/entity-client.ts'
import type { EntityRuntime } from '../client/entity-runtime.ts'
import { getFunction } from '../client/get-function.ts'
import { transactFunction } from '../client/transactions/transact.ts'
import type { PatternDescription } from '../description.ts'
import { ModelError, unreachable } from '../errors.ts'
import { EntityForms } from './entity-forms.ts'
import { firstFound, mergedBatchGet, mergedTransactGet } from './merged-gets.ts'
import { mergedQueryFunction } from './merged-query.ts'
import { movingWrites, type Writes } from './moving-writes.ts'
import { PartReader } from './part-reader.ts'
import { predecessorOf } from './predecessor.ts'

export interface MigratingOptions {
  /** `was`: while older code runs that only knows the old form. `both`: while others still write `was`. `new`: from
   *  then on. Different programs may use neighbouring settings at the same time. */
  readonly writes: Writes
  /** `new` once every item has its new form: queries then read nothing else. Both by default. */
  readonly reads?: 'both' | 'new'
}

/** What `connect` does with entities that name their predecessor: `connect(model, client, { migration: migrating({
 *  writes: 'both' }) })`. Reads find items in either form, each once; writes keep the forms that `writes` names. */
export function migrating({ writes, reads = 'both' }: MigratingOptions): Migration {
  return ({ model, connection, tableNames, made }) => {
    const old = predecessorOf(model)
    if (old === undefined) return {}
    const before = { model: old, entities: entityRuntimes(old, tableNames) }
    const now = { model, entities: connection.entities }
    const forms = formsOf(model, before.entities, now.entities)
    const client = new MigratingClient(connection, forms, writes)
    const functions: Record<string, object> = { transact: transactFunction(connection, client.writesOf) }
    for (const { name } of forms.values()) functions[name] = client.entity(connection.entity(name))
    for (const pattern of model.resolved.patterns) {
      const entities = pattern.entities.map((each) => each.split('.')[0] ?? '')
      if (!entities.some((name) => forms.has(name)) && pattern.action !== 'transact') continue
      const parts = { connection, pattern, now, before, forms, tableNames, readsOld: reads === 'both' }
      functions[pattern.name] = client.pattern(
        pattern,
        () => mergedQueryFunction(connection, pattern, new PartReader(parts)),
        () =>
          patternFunction(
            connection.with({ entities: before.entities }),
            old.resolved,
            pattern,
            tableNames,
            new Map(),
            {},
          ),
        made[pattern.name] ?? {},
        functions,
      )
    }
    functions['batchWrite'] = refusingBatch(made['batchWrite'] ?? {}, forms)
    return functions
  }
}

function formsOf(
  model: PlannedModel,
  old: ReadonlyMap<string, EntityRuntime>,
  now: ReadonlyMap<string, EntityRuntime>,
): ReadonlyMap<string, EntityForms> {
  return new Map(
    model.resolved.entities.flatMap(({ name, was }) => {
      const [before, after] = [old.get(name), now.get(name)]
      if (was === undefined || before === undefined || after === undefined) return []
      const missing = before.primaryInputs.find((input) => !after.primaryInputs.includes(input))
      if (missing !== undefined) {
        throw new ModelError(
          'INVALID_MODEL',
          `The old key of ${name} needs ${missing}, so callers that only know its new key cannot find it there. Make ${missing} a part of the new key as well; or remove was, stop all writers, and migrate from the old model file to the new one.`,
          { entity: name, attribute: missing },
        )
      }
      return [[name, new EntityForms(before, after)] as const]
    }),
  )
}

class MigratingClient {
  readonly #connection: Connection
  readonly #forms: ReadonlyMap<string, EntityForms>
  readonly #writes: Writes

  constructor(connection: Connection, forms: ReadonlyMap<string, EntityForms>, writes: Writes) {
    this.#connection = connection
    this.#forms = forms
    this.#writes = writes
  }

  readonly writesOf = (entity: EntityRuntime): EntityWrites => {
    const forms = this.#forms.get(entity.name)
    if (forms === undefined) return plannedWrites(entity)
    if (forms.isMoved || forms.isRenamed) return movingWrites(forms, this.#writes)
    // One item cannot have two keys in one index: those who only know the old one must find it.
    return plannedWrites(this.#writes === 'new' ? forms.new : forms.old)
  }

  entity(entity: EntityRuntime): Readonly<Record<string, object>> {
    return entityClient(this.#connection, entity, this.writesOf(entity), this.#get(entity, false))
  }

  pattern(
    pattern: PatternDescription,
    merged: () => object,
    before: () => object,
    now: object,
    functions: Readonly<Record<string, object>>,
  ): object {
    const { action, isConsistent } = pattern
    const entities = pattern.entities.map((name) => this.#connection.entities.get(name))
    const known = entities.filter((entity) => entity !== undefined)
    const [entity] = known
    switch (action) {
      case 'query':
        return this.#refusal(pattern) ?? merged()
      case 'get':
        return entity === undefined ? now : this.#get(entity, isConsistent)
      case 'lookup':
        return firstFound(before(), now)
      case 'batchGet':
        return mergedBatchGet(this.#connection, known, this.#forms, isConsistent)
      case 'transactGet':
        return mergedTransactGet(this.#connection, known, this.#forms)
      case 'transact':
        return functions['transact'] ?? now
      case 'scan':
        return now
      case 'create':
      case 'put':
      case 'update':
      case 'modify':
      case 'upsert':
      case 'delete': {
        const own = functions[entity?.name ?? ''] as Readonly<Record<string, object>> | undefined
        const write = own?.[action] ?? now
        return entity !== undefined && (action === 'update' || action === 'modify')
          ? withinDeclared(pattern, entity, write)
          : write
      }
      default:
        return unreachable(action)
    }
  }

  /** What cannot be asked for while there are two forms. */
  #refusal(pattern: PatternDescription): object | undefined {
    if (pattern.buckets !== undefined) return refused(pattern, 'reads one period after another')
    const attributes = pattern.entities.flatMap((name) => this.#forms.get(name)?.new.described.attributes ?? [])
    const renamed = attributes.find(({ name, readNames }) => readNames && pattern.filter?.includes(name))
    return renamed && refused(pattern, `filters on ${renamed.name}, which has two names`)
  }

  #get(entity: EntityRuntime, isConsistent: boolean): object {
    const forms = this.#forms.get(entity.name)
    const now = getFunction(this.#connection, entity, isConsistent)
    return forms?.isMoved === true ? firstFound(getFunction(this.#connection, forms.old, isConsistent), now) : now
  }
}

function refused(pattern: PatternDescription, why: string): object {
  return () => {
    throw new ModelError(
      'INVALID_MODEL',
      `${pattern.name} ${why}, which is not possible while its items have two forms. Use another pattern until was is removed.`,
      { pattern: pattern.name },
    )
  }
}

/** A batch has no conditions, so that it cannot keep two forms in step. */
function refusingBatch(batchWrite: object, forms: ReadonlyMap<string, EntityForms>): object {
  type Build = (steps: Readonly<Record<string, object>>) => unknown
  const call = batchWrite as ((build: Build) => unknown) & { readonly explain: (build: Build) => unknown }
  const guarded =
    (build: Build): Build =>
    (steps) =>
      build(
        new Proxy(steps, {
          get: (target, name) => {
            const form = typeof name === 'string' ? forms.get(name) : undefined
            if (form === undefined || !(form.isMoved || form.isRenamed)) return Reflect.get(target, name)
            throw new ModelError(
              'NEEDS_TRANSACTION',
              `${form.name} has two forms, which a batch cannot keep in step. Use transact, or single writes.`,
              { entity: form.name },
            )
          },
        }),
      )
  return Object.assign((build: Build) => call(guarded(build)), {
    explain: (build: Build) => call.explain(guarded(build)),
  })
}
