/** Where the code will run. */
export interface CodeTarget {
  readonly region: string
  /** Of this hashrange; nothing for AWS. */
  readonly endpoint?: string | undefined
  /** The access key by which this hashrange knows whose tables are meant. */
  readonly accessKeyId?: string | undefined
  /** `environment` if whoever runs the code has credentials, as for AWS: a closed server takes no others. */
  readonly credentials?: 'local' | 'environment' | undefined
}

/** The access key to write into the code; undefined if whoever runs the code has credentials. Its secret is `local`:
 *  an open server does not verify it. */
export function localKeyOf({ endpoint, accessKeyId, credentials }: CodeTarget): string | undefined {
  return endpoint === undefined || credentials === 'environment' ? undefined : (accessKeyId ?? 'local')
}
