export { authorize, explainAccess, type AuthorizedRequest, type NeedDecision } from './authorization/authorize.ts'
export type { KnownIdentities, KnownTables, Need } from './authorization/need.ts'
export { needsOf } from './authorization/operation-needs.ts'
export { readResourcePolicy } from './authorization/read-resource-policy.ts'
export type { RequestFacts } from './authorization/request-context.ts'
export { AuditTrail } from './audit/audit-trail.ts'
export { accessDenied } from './policies/access-denied.ts'
export { compilePolicy, type CompiledPolicy, type CompiledStatement } from './policies/compile-policy.ts'
export { contextOf, type ContextValue, type ContextValues } from './policies/context-values.ts'
export {
  evaluate,
  type AccessDecision,
  type AccessRequest,
  type ApplicablePolicies,
  type KindOfPolicy,
} from './policies/evaluate.ts'
export { MalformedPolicy } from './policies/malformed-policy.ts'
export { parsePolicy, type PolicyKind } from './policies/parse-policy.ts'
export { PolicyCache } from './policies/policy-cache.ts'
export { principalArn, type Principal } from './policies/principal.ts'
export { uriEncode } from './signatures/uri-encode.ts'
