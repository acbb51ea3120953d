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
