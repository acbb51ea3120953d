import { validationException } from '@hashrange/core'

const pageLength = 100

/** A part of a list that is in one record. */
export function pageOfList<T>(
  list: readonly T[],
  token: string | undefined,
): { readonly page: readonly T[]; readonly NextToken: string | undefined } {
  const at = token === undefined ? 0 : Number(/^page-(\d{1,6})$/.exec(token)?.[1] ?? NaN)
  if (Number.isNaN(at)) throw validationException('NextToken is invalid.')
  const next = at + pageLength
  return { page: list.slice(at, next), NextToken: next < list.length ? `page-${next}` : undefined }
}
