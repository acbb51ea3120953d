import { validationError } from './iam-errors.ts'

export interface PageInput {
  readonly Marker?: string
  readonly MaxItems?: number
  readonly PathPrefix?: string
}

export interface PageOf<T> {
  readonly items: readonly T[]
  /** What stands beside them in the answer. */
  readonly rest: { readonly IsTruncated: boolean; readonly Marker?: string }
}

/** A page of what is listed, in the order of names. The marker is the last name of the page before. */
export function pageOf<T>(all: Iterable<T>, nameOf: (item: T) => string, input: PageInput): PageOf<T> {
  const { Marker: marker, MaxItems: most = 100 } = input
  const after = marker === undefined ? undefined : readMarker(marker)
  const sorted = [...all].map((item) => [nameOf(item), item] as const)
  sorted.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
  const rest = after === undefined ? sorted : sorted.filter(([name]) => name > after)
  const page = rest.slice(0, most)
  const last = page.at(-1)
  const isTruncated = rest.length > page.length && last !== undefined
  return {
    items: page.map(([, item]) => item),
    rest: { IsTruncated: isTruncated, ...(isTruncated && { Marker: toMarker(last[0]) }) },
  }
}

function toMarker(name: string): string {
  return Buffer.from(name, 'utf8').toString('base64')
}

function readMarker(marker: string): string {
  const name = Buffer.from(marker, 'base64').toString('utf8')
  if (toMarker(name) !== marker) throw validationError('Invalid Marker.')
  return name
}

export function isBelow(input: PageInput): (item: { readonly path: string }) => boolean {
  const { PathPrefix: prefix = '/' } = input
  return ({ path }) => path.startsWith(prefix)
}
