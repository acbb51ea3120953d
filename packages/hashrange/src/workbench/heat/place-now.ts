import type { PlaceReport } from '@hashrange/engine'
import type { PlaceHeat } from '@hashrange/workbench/answers'

/** A table or an index as it is now, without its keys: those are ranked separately, for a time of their own. */
export function placeNow(place: PlaceReport): PlaceHeat['report'] {
  const { hottestReads: _, hottestWrites: __, mostThrottledReads: ___, mostThrottledWrites: ____, ...now } = place
  return now
}
