import { validationException, type Projection } from '@hashrange/core'
import { ContradictorySelect } from '../api/contradictory-select.ts'
import type { Select } from '../api/item-inputs.ts'
import { projectedNames } from '../items/index-entry.ts'
import type { Source } from './source.ts'

/** Which attributes each item of a page shows. */
export interface Selection {
  readonly countOnly: boolean
  readonly projection: Projection | undefined
  /** The items themselves must be read: the local index does not contain everything that is requested. */
  readonly fetchItems: boolean
}

export interface SelectInput {
  readonly Select?: Select
  readonly IndexName?: string
  readonly AttributesToGet?: readonly string[]
  readonly ProjectionExpression?: string
}

/** Checks that need no table. */
export function checkSelect({ Select, IndexName, AttributesToGet, ProjectionExpression }: SelectInput): void {
  const named =
    ProjectionExpression !== undefined
      ? 'ProjectionExpression'
      : AttributesToGet !== undefined
        ? 'AttributesToGet'
        : undefined
  if (Select === 'ALL_PROJECTED_ATTRIBUTES' && IndexName === undefined) {
    throw new ContradictorySelect('ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName')
  }
  if (Select === 'SPECIFIC_ATTRIBUTES' && named === undefined) {
    throw new ContradictorySelect(
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    )
  }
  if (Select !== undefined && Select !== 'SPECIFIC_ATTRIBUTES' && named !== undefined) {
    const chosen = Select === 'COUNT' ? 'only the Count' : Select
    throw new ContradictorySelect(`Cannot specify the ${named} when choosing to get ${chosen}`)
  }
}

export function selectionOf(
  source: Source,
  select: Select | undefined,
  projection: Projection | undefined,
): Selection {
  const countOnly = select === 'COUNT'
  const { index, table } = source
  const held = index && projectedNames(table.definition, index)
  if (index === undefined || held === undefined) return { countOnly, projection, fetchItems: false }
  const heldNames = new Set(held)
  const missing = projection?.paths.map(headOf).filter((name) => !heldNames.has(name)) ?? []
  if (index.kind === 'global') {
    if (select === 'ALL_ATTRIBUTES') {
      throw validationException(
        `One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.indexName} because its projection type is not ALL`,
      )
    }
    if (missing.length > 0) {
      throw validationException(
        `One or more parameter values were invalid: Global secondary index ${index.indexName} does not project [${missing.join(', ')}]`,
      )
    }
  }
  return { countOnly, projection, fetchItems: select === 'ALL_ATTRIBUTES' || missing.length > 0 }
}

function headOf(path: Projection['paths'][number]): string {
  const head = path[0]
  return head?.kind === 'name' ? head.name : ''
}
