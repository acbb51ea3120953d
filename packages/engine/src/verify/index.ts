export type { Finding, FindingKind, Place } from './finding.ts'
export { placeText } from './place.ts'
export type { Unchecked, VerifyOptions, VerifyProgress } from './verification.ts'
export { verifyStore, type VerifyReport } from './verify-store.ts'
