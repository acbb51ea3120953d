export { startPostgres, type PostgresServer, type StartOptions } from './start-postgres.ts'
