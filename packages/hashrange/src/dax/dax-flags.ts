export const daxFlags = {
  'dax-port': { type: 'string' },
  'dax-record-ttl-millis': { type: 'string' },
  'dax-query-ttl-millis': { type: 'string' },
  'dax-cache-size': { type: 'string' },
} as const

type Values = { readonly [flag in keyof typeof daxFlags]?: string | undefined }

/** DAX is served if it has a port. */
export interface DaxSettings {
  readonly daxPort?: number | undefined
  readonly daxRecordTtlMs?: number | undefined
  readonly daxQueryTtlMs?: number | undefined
  /** Of each cache. */
  readonly daxCacheMb?: number | undefined
}

/** The flags about DAX, or what is wrong with them. `setting` reads the environment. */
export function readDaxFlags(
  values: Values,
  setting: (name: string) => string | undefined,
): DaxSettings | { readonly mistake: string } {
  const port = values['dax-port'] ?? setting('HASHRANGE_DAX_PORT')
  const recordTtl = values['dax-record-ttl-millis'] ?? setting('HASHRANGE_DAX_RECORD_TTL_MILLIS')
  const queryTtl = values['dax-query-ttl-millis'] ?? setting('HASHRANGE_DAX_QUERY_TTL_MILLIS')
  const cacheSize = values['dax-cache-size'] ?? setting('HASHRANGE_DAX_CACHE_SIZE')
  if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > 65_535))
    return { mistake: `"${port}" is not a port. --dax-port is a number from 0 to 65535; 0 picks a free one.` }
  for (const [flag, text] of [
    ['--dax-record-ttl-millis', recordTtl],
    ['--dax-query-ttl-millis', queryTtl],
  ] as const) {
    if (text !== undefined && !/^\d{1,12}$/.test(text))
      return { mistake: `${flag} must be a number of milliseconds, not "${text}".` }
  }
  if (cacheSize !== undefined && !/^[1-9]\d{0,5}$/.test(cacheSize))
    return { mistake: `--dax-cache-size must be a number of megabytes, not "${cacheSize}".` }
  return {
    ...(port !== undefined && { daxPort: Number(port) }),
    ...(recordTtl !== undefined && { daxRecordTtlMs: Number(recordTtl) }),
    ...(queryTtl !== undefined && { daxQueryTtlMs: Number(queryTtl) }),
    ...(cacheSize !== undefined && { daxCacheMb: Number(cacheSize) }),
  }
}
