/** A statement that connections prepare. */
export interface Statement {
  readonly name: string
  readonly text: string
  /** The types of its parameters. */
  readonly types: readonly number[]
  /** Whether a connection prepares it when it is first used. */
  readonly isLazy?: boolean
}
