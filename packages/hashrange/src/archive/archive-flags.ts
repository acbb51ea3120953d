export const archiveFlags = {
  archive: { type: 'string' },
  from: { type: 'string' },
  at: { type: 'string' },
} as const

type Values = { readonly [flag in keyof typeof archiveFlags]?: string | undefined }

export interface ArchiveSettings {
  /** Where everything that is written is archived as well: a folder or s3://bucket/prefix. */
  readonly archive?: string | undefined
  /** The archive from which a new data folder is filled, and the point in time to restore. */
  readonly from?: string | undefined
  readonly atMs?: number | undefined
}

/** The flags about archives, or what is wrong with them. `setting` reads the environment. */
export function readArchiveFlags(
  values: Values,
  setting: (name: string) => string | undefined,
  isFolder: boolean,
): ArchiveSettings | { readonly mistake: string } {
  const { from, at } = values
  const archive = values.archive ?? setting('HASHRANGE_ARCHIVE')
  if (!isFolder && (archive !== undefined || from !== undefined)) {
    return {
      mistake:
        '--archive and --from work only with a data folder (--path). For PostgreSQL, use its own backup tools.',
    }
  }
  if (at !== undefined && from === undefined)
    return { mistake: '--at needs --from: it names a point in time in that archive.' }
  const atMs = at === undefined ? undefined : Date.parse(at)
  if (atMs !== undefined && Number.isNaN(atMs)) {
    return { mistake: `--at must be a time, such as 2026-06-15T12:00:00Z, not "${at}".` }
  }
  return { archive, from, atMs }
}
