/** A statement that every connection prepares. */
export interface Statement {
  readonly name: string
  readonly text: string
  /** The types of its parameters. */
  readonly types: readonly number[]
}
