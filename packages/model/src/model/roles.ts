import type { PolicyDescription, RoleDescription } from '../description.ts'
import { defined } from './defined.ts'

export interface RoleSpecification<PatternName extends string> {
  readonly patterns: readonly PatternName[]
  /** The attribute that says whose an item is: it comes first in the partition key of everything that the role uses. */
  readonly tenant?: string
  /** The policy that the role has in production, if you write it yourself. */
  readonly policy?: PolicyDescription
  readonly description?: string
}

export type Roles<PatternName extends string> = Readonly<Record<string, RoleSpecification<PatternName>>>

/** As data. What is wrong with a role is said where policies are made of roles: applications do without them. */
export function describeRoles(roles: Roles<string>): readonly RoleDescription[] {
  return Object.entries(roles).map(([name, role]) =>
    defined({ ...role, name, patterns: [...new Set(role.patterns)] }),
  )
}
