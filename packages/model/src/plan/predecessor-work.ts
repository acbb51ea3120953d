import type { EntityDescription, KeyTemplateDescription, PatternDescription } from '../description.ts'
import { holesOf } from '../model/resolve-template.ts'
import type { Difference, Work } from './difference.ts'

/** A difference that is unsafe by itself, and what the new model must say (`was`) so that its clients read and write both forms. */
export interface Announced {
  readonly what: string
  readonly change: string
  readonly reason: string
  /** What the old form is, in the words of the model: `.key({ was: … })`. */
  readonly snippet: string
  /** Whether the new model says so. */
  readonly isSaid: boolean
  /** Why clients of the new model could not find the old form nevertheless. */
  readonly obstacle?: string | undefined
  /** What must be done by hand if it does not. */
  readonly work: readonly Work[]
}

/** With `was`, nothing is wrong while both forms are there; without it, all code in between must be written by hand. */
export function announced(entity: EntityDescription, isMoved: boolean, given: Announced): Difference {
  const { what, change, reason, snippet, isSaid, obstacle, work } = given
  if (obstacle !== undefined) return { what, kind: 'unsafe', change, reason: `${reason} ${obstacle}`, work }
  if (isSaid) {
    const both =
      'The new model says so (was): its clients read both forms, merged in order, and write those that migrating({ writes }) names.'
    return { what, kind: 'rewrite', change, reason: both, work: predecessorWork(entity, isMoved) }
  }
  const missing = {
    phase: 'prepare',
    action: `Let the new model say what it was: ${snippet}. Its clients then read both forms, and hashrange migrate brings the items over. Without it, the steps below need code of your own`,
    check: 'The plan calls it a rewrite, and no longer unsafe',
    wayBack: 'Nothing is changed',
  } as const
  const said = 'The new model does not say what it was (was), so its clients only know the new form.'
  return { what, kind: 'unsafe', change, reason: `${reason} ${said}`, work: [missing, ...work] }
}

/** Whether callers who know the key of today can make the key of before. */
export function obstacleOf(before: EntityDescription, after: EntityDescription): string | undefined {
  const [old, now] = [inputsOf(before), inputsOf(after)]
  const lost = old.find((name) => !now.includes(name))
  if (lost === undefined) return undefined
  return `Callers who only know the new key cannot find the old form, which needs ${lost}. Make ${lost} a part of the new key as well, or stop all writers while you migrate.`
}

function inputsOf({ key, attributes }: EntityDescription): readonly string[] {
  const holes = holesOf(key.sort === undefined ? [key.partition] : [key.partition, key.sort])
  return holes.flatMap((hole) => {
    const attribute = attributes.find(({ name }) => name === hole)
    return attribute?.shard?.by ?? attribute?.computedFrom ?? hole
  })
}

function predecessorWork(entity: EntityDescription, isMoved: boolean): readonly Work[] {
  const check = 'No server or function runs older code'
  return [
    {
      phase: 'read both',
      action: `Deploy the new model with migrating({ writes: 'was' }): reads find both forms, writes keep the old one`,
      check,
      wayBack: 'Deploy the older code again',
    },
    {
      phase: 'write both',
      action: `Deploy migrating({ writes: 'both' })`,
      check: `No client writes 'was' any more`,
      wayBack: `Deploy migrating({ writes: 'was' }) again`,
    },
    {
      phase: 'write new',
      action: `Deploy migrating({ writes: 'new' })`,
      check: `No client writes 'both' any more`,
      wayBack: `Deploy migrating({ writes: 'both' }) again: it finds what was written meanwhile`,
    },
    {
      phase: 'backfill',
      action: `Bring all ${entity.name} items into their new form: hashrange migrate`,
      check: 'A second run writes nothing',
      wayBack:
        'As long as was is in the model, nothing needs to be undone: clients find both forms. To return to the old form, run hashrange migrate with the two model files exchanged',
      items: { entity: entity.name, reads: true, writes: isMoved ? 2 : 1, isTransaction: isMoved },
    },
    {
      phase: 'verify',
      action: `Read all ${entity.name} items and compare them with the new model: hashrange migrate does it at the end`,
      check: 'It says that nothing is left in the old form',
      wayBack: 'Nothing is changed',
      items: { entity: entity.name, reads: true, writes: 0 },
    },
    {
      phase: 'drop',
      action: 'Remove was from the model and migration from connect, and deploy that',
      check: 'hashrange check no longer mentions was',
      wayBack: 'Put both back',
    },
  ]
}

/** Why a query of today could not find items with the key of before, in a table or an index: it does not ask for what that needs. */
export function blindPatternOf(
  before: EntityDescription,
  partition: readonly KeyTemplateDescription[],
  patterns: readonly PatternDescription[],
): string | undefined {
  const needed = holesOf(partition).flatMap((hole) => {
    const attribute = before.attributes.find(({ name }) => name === hole)
    // All shards are read.
    return attribute?.shard === undefined ? (attribute?.computedFrom ?? [hole]) : []
  })
  for (const { name, parameters } of patterns) {
    const unknown = needed.find((each) => parameters.every((parameter) => parameter.name !== each))
    if (unknown !== undefined)
      return `The pattern ${name} could not find items with the old key, which needs ${unknown}: it does not ask for it.`
  }
  return undefined
}
