export { migrating } from './migrating.ts'
export type { MigratingOptions } from './migrating.ts'
export type { Writes } from './moving-writes.ts'
