/** What identities are remembered as. ON DISK as JSON: members may be added, with a default for records that lack them. All of an account stand in the space `identity`, under
 *  their kind and name. Lists rather than objects hold what people name, since a name may be anything. */
export type IdentityRecord =
  UserRecord | GroupRecord | RoleRecord | PolicyRecord | AccessKeyRecord | KeyUseRecord | NoteRecord

interface Named {
  readonly name: string
}

export interface Tag {
  readonly key: string
  readonly value: string
}

export interface InlinePolicy {
  readonly name: string
  readonly document: string
}

/** What users, groups and roles have in common. */
export interface PolicyHolder extends Named {
  readonly path: string
  readonly id: string
  readonly createdAtMs: number
  readonly inline: readonly InlinePolicy[]
  /** ARNs of managed policies. */
  readonly attached: readonly string[]
}

export interface UserRecord extends PolicyHolder {
  readonly kind: 'user'
  readonly tags: readonly Tag[]
  /** The ARN of a managed policy. */
  readonly boundary?: string | undefined
  /** Identifiers of groups, so that another group of the same name is not meant. */
  readonly groups: readonly string[]
}

export interface GroupRecord extends PolicyHolder {
  readonly kind: 'group'
}

export interface RoleRecord extends PolicyHolder {
  readonly kind: 'role'
  readonly tags: readonly Tag[]
  readonly boundary?: string | undefined
  readonly description?: string | undefined
  readonly maxSessionSeconds: number
  /** The document that says who may assume it. */
  readonly trust: string
}

export interface PolicyRecord extends Named {
  readonly kind: 'policy'
  readonly path: string
  readonly id: string
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly description?: string | undefined
  readonly tags: readonly Tag[]
  readonly versions: readonly PolicyVersion[]
  readonly defaultVersionId: string
  readonly lastVersion: number
}

export interface PolicyVersion {
  readonly id: string
  readonly document: string
  readonly createdAtMs: number
}

/** Its name is the access key's identifier. */
export interface AccessKeyRecord extends Named {
  readonly kind: 'key'
  /** The identifier of the user; without one it is the account's own, which may do everything. */
  readonly userId?: string | undefined
  readonly status: AccessKeyStatus
  readonly createdAtMs: number
  /** Sealed by a `SecretBox`. */
  readonly secret: string
}

export type AccessKeyStatus = 'Active' | 'Inactive'

/** When an access key, or a role, was last used: written now and then, by whichever server has seen it. */
export interface KeyUseRecord extends Named {
  readonly kind: 'use'
  readonly atMs: number
  readonly service: string
  readonly region: string
}

/** What is known of all identities together: how often they were changed, and what the key of secrets makes of a known text. */
export interface NoteRecord extends Named {
  readonly kind: 'note'
  readonly version?: number
  readonly sealed?: string
  readonly accountId?: string
}
