import type { PlaceReport } from '@hashrange/engine'

/** A table or an index as it is now, without its keys: those are ranked separately, for a time of their own. */
export type PlaceNow = Omit<
  PlaceReport,
  'hottestReads' | 'hottestWrites' | 'mostThrottledReads' | 'mostThrottledWrites'
>

export function placeNow(place: PlaceReport): PlaceNow {
  const { hottestReads: _, hottestWrites: __, mostThrottledReads: ___, mostThrottledWrites: ____, ...now } = place
  return now
}
