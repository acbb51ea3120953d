import { pageToken, readPageToken } from '@hashrange/engine'
import { invalidParameter } from '../api/invalid-parameter.ts'
import type { PageInput } from '../api/inputs.ts'

export interface PageOf<T> {
  readonly items: readonly T[]
  readonly next: string | undefined
}

/** A page of a list that is sorted by name. The marker is the name of the last item before it. */
export function pageOf<T>(
  all: readonly T[],
  nameOf: (item: T) => string,
  { Marker, MaxItems }: PageInput,
): PageOf<T> {
  const after = Marker === undefined || Marker === '' ? undefined : readPageToken(Marker)?.[0]
  if (Marker !== undefined && Marker !== '' && after === undefined) throw invalidParameter('Invalid Marker')
  const sorted = all.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
  const rest = after === undefined ? sorted : sorted.filter((item) => nameOf(item) > after)
  const items = rest.slice(0, Math.min(MaxItems ?? 50, 100))
  const last = items.at(-1)
  const next = items.length < rest.length && last !== undefined ? pageToken([nameOf(last)]) : undefined
  return { items, next }
}
