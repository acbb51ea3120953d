export interface BareLoadOrder {
  /** Where the file will be; there must be none. */
  readonly path: string
  readonly itemCount: number
}
