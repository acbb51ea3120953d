/** Who makes a request. */
export interface Principal {
  readonly kind: 'root' | 'user' | 'role-session'
  readonly accountId: string
  /** As GetCallerIdentity tells it. */
  readonly arn: string
  /** `aws:userid`: the account, a user's id, or `role id:session name`. */
  readonly userId: string
  /** `aws:username`, which only users have. */
  readonly userName?: string
  /** The role that a session is of. */
  readonly roleArn?: string
  /** A user's tags; a role's, with those of the session in front of them. */
  readonly tags: Readonly<Record<string, string>>
}

/** `aws:PrincipalArn`: of a session, it is the role's. */
export function principalArn({ roleArn, arn }: Principal): string {
  return roleArn ?? arn
}
