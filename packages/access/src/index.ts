export { AuditTrail } from './audit/audit-trail.ts'
export { readResourcePolicy } from './authorization/read-resource-policy.ts'
export { accessService } from './access-service.ts'
export { accessOperations } from './api/operations.ts'
export { iamShapes, stsShapes } from './api/shape-books.ts'
export type { KnownTables } from './authorization/need.ts'
export { needsOf } from './authorization/operation-needs.ts'
export { applyDeclaration } from './declared/apply-declaration.ts'
export { DeclarationError } from './declared/declaration-error.ts'
export type { DeclaredIdentities } from './declared/declared-identities.ts'
export {
  firstAdministrator,
  newAdministratorKey,
  type AccessKeyPair,
  type Administrator,
} from './declared/first-administrator.ts'
export { readDeclaration } from './declared/read-declaration.ts'
export { closedRoute } from './gate/closed-route.ts'
export { Gate } from './gate/gate.ts'
export { verifiedIdentity } from './gate/verified-identity.ts'
export type { IamContext } from './iam/iam-context.ts'
export { WrongSecretKey } from './identities/open-secrets.ts'
export { newBearerToken } from './secrets/bearer-token.ts'
export { SecretBox } from './secrets/secret-box.ts'
export { readSecretKey } from './secrets/secret-key.ts'
export { accessWire } from './wire/wire-services.ts'
