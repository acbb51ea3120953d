export { startPostgres, type PostgresServer } from './start-postgres.ts'
export { routeOfWorker } from './route-worker.ts'
