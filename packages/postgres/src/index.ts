export { schemaOfUrl } from './options.ts'
export { openPostgresStore } from './postgres-store.ts'
export { schemaText } from './schema/schema-text.ts'
export { schemaVersion } from './schema/migrations.ts'
