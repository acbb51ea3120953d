import { useCallback, useMemo } from 'react'
import { useLocation } from 'wouter'
import { basePath, useQueryText } from './address.ts'

/** How one value stands in the URL. What equals the fallback is left out of it. */
export interface UrlCodec<Value> {
  readonly fallback: Value
  read(text: string): Value
  write(value: Value): string
}

export function text(fallback = ''): UrlCodec<string> {
  return { fallback, read: (value) => value, write: (value) => value }
}

export function number(fallback: number): UrlCodec<number> {
  return {
    fallback,
    read: (value) => (value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : fallback),
    write: String,
  }
}

export function flag(fallback = false): UrlCodec<boolean> {
  return { fallback, read: (value) => value === '1', write: (value) => (value ? '1' : '0') }
}

export function oneOf<const Options extends readonly string[]>(
  options: Options,
  fallback: Options[number],
): UrlCodec<Options[number]> & { readonly options: Options } {
  return {
    options,
    fallback,
    read: (value) => options.find((option) => option === value) ?? fallback,
    write: (value) => value,
  }
}

/** For lists and records. `check` makes something usable of whatever a URL can hold. */
export function json<Value>(fallback: Value, check: (value: unknown) => Value): UrlCodec<Value> {
  return {
    fallback,
    read: (value) => {
      try {
        return check(JSON.parse(value))
      } catch {
        return fallback
      }
    },
    write: (value) => JSON.stringify(value),
  }
}

export type UrlSchema = Readonly<Record<string, UrlCodec<unknown>>>
export type UrlValues<Schema> = {
  readonly [Name in keyof Schema]: Schema[Name] extends UrlCodec<infer V> ? V : never
}

export interface SetOptions {
  /** A step of its own for the back button; otherwise the present one is replaced. */
  readonly push?: boolean
}

/** State that lives in the URL, so that a link reproduces the view. Declare the schema outside of the component.
 *
 *      const schema = { index: text(), descending: flag(), size: number(50) }
 *      const [state, setState] = useUrlState(schema)
 *      setState({ index: 'gsi1' }) */
export function useUrlState<Schema extends UrlSchema>(
  schema: Schema,
): readonly [UrlValues<Schema>, (changes: Partial<UrlValues<Schema>>, options?: SetOptions) => void] {
  const search = useQueryText()
  const [, navigate] = useLocation()
  const values = useMemo(() => readUrl(schema, search), [schema, search])
  const set = useCallback(
    (changes: Partial<UrlValues<Schema>>, options?: SetOptions) => {
      // What the URL says now: another change may have been made since the last render.
      const next = writeUrl(schema, window.location.search, changes)
      navigate(`${currentPath()}${next}`, { replace: options?.push !== true })
    },
    [schema, navigate],
  )
  return [values, set]
}

export function readUrl<Schema extends UrlSchema>(schema: Schema, search: string): UrlValues<Schema> {
  const query = new URLSearchParams(search)
  const values = Object.entries(schema).map(([name, codec]) => {
    const written = query.get(name)
    return [name, written === null ? codec.fallback : codec.read(written)]
  })
  return Object.fromEntries(values) as UrlValues<Schema>
}

/** The query with the changes made, beginning with `?` unless it is empty. */
export function writeUrl<Schema extends UrlSchema>(
  schema: Schema,
  search: string,
  changes: Partial<UrlValues<Schema>>,
): string {
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    const codec = schema[name]
    if (codec === undefined) continue
    const written = codec.write(value)
    if (value === undefined || written === codec.write(codec.fallback)) query.delete(name)
    else query.set(name, written)
  }
  const rendered = query.toString()
  return rendered === '' ? '' : `?${rendered}`
}

/** The path below the workbench's own. */
export function currentPath(): string {
  const path = window.location.pathname
  return path.startsWith(basePath) ? path.slice(basePath.length) || '/' : path
}
