export type { Finding } from './finding.ts'
export { placeText } from './place.ts'
export type { VerifyProgress } from './verification.ts'
export { verifyStore, type VerifyReport } from './verify-store.ts'
