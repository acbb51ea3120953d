export { checkRoles } from './check-roles.ts'
export type { ClosedTrial, TrialPrincipal } from './closed-trial.ts'
export type { RoleReport } from './role-trial.ts'
export { rolePolicy, type RolePolicy } from './role-policy.ts'
