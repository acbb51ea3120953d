export { testDatabase } from './test-database.ts'
export type { ModelTestDatabase, TestDatabase, TestDatabaseOptions } from './test-database.ts'
export { TestClock } from './test-clock.ts'
