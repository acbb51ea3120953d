/** What a person says about another database. It contains no secret: those are where the SDK looks for them, or there
 *  are none. */
export interface DeclaredConnection {
  /** The address of a server; without one, AWS. */
  readonly endpoint?: string | undefined
  /** Of the AWS configuration files: whose credentials sign the requests. */
  readonly profile?: string | undefined
  readonly region?: string | undefined
  /** For servers that accept any secret: whose tables are seen. */
  readonly accessKeyId?: string | undefined
  readonly colour?: 'blue' | 'teal' | 'green' | 'amber' | 'orange' | 'red' | 'pink' | 'purple' | 'grey' | undefined
  /** Whether the page may write: AWS only when it is switched on, others always, by default. */
  readonly writing?: 'allowed' | 'on-request' | 'never' | undefined
}
