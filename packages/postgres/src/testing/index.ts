export { startPostgres, type PostgresServer } from './start-postgres.ts'
