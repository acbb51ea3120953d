export { testDatabase } from './test-database.ts'
export type { ModelTestDatabase, TestDatabase, TestDatabaseOptions } from './test-database.ts'
export { proveRoles } from './prove-roles.ts'
export { TestClock } from './test-clock.ts'
