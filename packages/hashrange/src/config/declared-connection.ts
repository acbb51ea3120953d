export const connectionColours = [
  'blue',
  'teal',
  'green',
  'amber',
  'orange',
  'red',
  'pink',
  'purple',
  'grey',
] as const

/** Whether the page may write: always, once it is switched on in the page, or never. */
export const writingChoices = ['allowed', 'on-request', 'never'] as const

/** What a person says about another database. It contains no secret: those are where the SDK looks for them, or there
 *  are none. */
export interface DeclaredConnection {
  /** The address of a server; without one, AWS. */
  readonly endpoint?: string | undefined
  /** The profile of the AWS configuration files whose credentials sign the requests. */
  readonly profile?: string | undefined
  readonly region?: string | undefined
  /** For servers that accept any secret: the access key whose tables are shown. */
  readonly accessKeyId?: string | undefined
  readonly colour?: (typeof connectionColours)[number] | undefined
  /** By default, `on-request` for AWS and `allowed` for others. */
  readonly writing?: (typeof writingChoices)[number] | undefined
}
