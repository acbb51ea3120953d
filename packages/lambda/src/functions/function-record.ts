/** A function that was created through the API. ON DISK as JSON: members may be added, with a default for records that
 *  lack them. */
export interface FunctionRecord {
  readonly name: string
  readonly runtime: string
  readonly handler: string
  readonly role: string
  readonly description: string
  readonly timeoutSeconds: number
  readonly memoryMb: number
  readonly environment: Readonly<Record<string, string>>
  readonly architectures: readonly string[]
  /** SHA-256 of the package, in base 64. */
  readonly codeSha256: string
  readonly codeBytes: number
  readonly modifiedAtMs: number
  /** Changes with every change. */
  readonly revisionId: string
  readonly tags: Readonly<Record<string, string>>
  readonly reservedConcurrency?: number | undefined
}

/** A part of a function's package, in base 64. ON DISK. */
export interface CodeRecord {
  readonly name: string
  readonly bytes: string
}
