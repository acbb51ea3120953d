import type { Finding, Severity } from './finding.ts'
import type { ModelMeasurement } from './measure-model.ts'
import type { ModelIndex } from './model-index.ts'
import { reviewCollectionSize } from './review/collection-size.ts'
import { reviewContention } from './review/contention.ts'
import { reviewDateKeys } from './review/date-keys.ts'
import { reviewDatePartitions } from './review/date-partitions.ts'
import { reviewDiscriminators } from './review/discriminators.ts'
import { reviewExpiringGuards } from './review/expiring-guards.ts'
import { reviewGlobalTables } from './review/global-tables.ts'
import { reviewHiddenEntities } from './review/hidden-entities.ts'
import { reviewHotPartitions } from './review/hot-partitions.ts'
import { reviewIndexUse } from './review/index-use.ts'
import { reviewItemGrowth } from './review/item-growth.ts'
import { reviewKeyCardinality } from './review/key-cardinality.ts'
import { reviewKeysOnly } from './review/keys-only.ts'
import { reviewMeasuredBehaviour } from './review/measured-behaviour.ts'
import { reviewNumberKeys } from './review/number-keys.ts'
import { reviewOverlappingPrefixes } from './review/overlapping-prefixes.ts'
import { reviewOverwritingPuts } from './review/overwriting-puts.ts'
import { reviewOwnership } from './review/ownership.ts'
import { reviewPersonalData } from './review/personal-data.ts'
import { reviewProjections } from './review/projections.ts'
import { reviewPredecessors } from './review/predecessors.ts'
import { ReviewContext } from './review/review-context.ts'
import { reviewScansAndFilters } from './review/scans-and-filters.ts'
import { reviewSeparators } from './review/separators.ts'
import { reviewSparseIndexes } from './review/sparse-indexes.ts'
import { reviewStrongGlobalTables } from './review/strong-global-tables.ts'
import { reviewTenants } from './review/tenants.ts'

const reviews = [
  reviewMeasuredBehaviour,
  reviewScansAndFilters,
  reviewHotPartitions,
  reviewContention,
  reviewTenants,
  reviewHiddenEntities,
  reviewOverwritingPuts,
  reviewKeyCardinality,
  reviewDatePartitions,
  reviewNumberKeys,
  reviewDateKeys,
  reviewOverlappingPrefixes,
  reviewSeparators,
  reviewCollectionSize,
  reviewItemGrowth,
  reviewProjections,
  reviewKeysOnly,
  reviewSparseIndexes,
  reviewIndexUse,
  reviewPersonalData,
  reviewExpiringGuards,
  reviewGlobalTables,
  reviewStrongGlobalTables,
  reviewDiscriminators,
  reviewPredecessors,
  reviewOwnership,
]

const ranks: Readonly<Record<Severity, number>> = { error: 0, warning: 1, note: 2 }

/** The design review: what an experienced colleague would say about the model, the most serious first. */
export function reviewModel(model: ModelIndex, measurement: ModelMeasurement): readonly Finding[] {
  const context = new ReviewContext(model, measurement)
  const findings = reviews.flatMap((review) => review(context))
  return findings.toSorted((a, b) => ranks[a.severity] - ranks[b.severity])
}
