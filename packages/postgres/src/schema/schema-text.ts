import { currentVersion, migrationStatements, schemaVersion } from './migrations.ts'
import { quoted, tableNames } from './names.ts'

export interface SchemaOptions {
  /** The schema that holds the tables. */
  readonly schema?: string
  /** Whether Citus spreads the tables over its nodes. */
  readonly distribution?: 'none' | 'citus'
  /** Into how many shards the keys are divided: a power of two. It cannot be changed later. */
  readonly shards?: number
  /** A role for the servers, which then need no right to create anything. */
  readonly role?: string
  /** The current version of the schema; none by default. */
  readonly fromVersion?: number
}

export const defaultSchema = 'hashrange'

/** One node contains all shards of a PostgreSQL; those of Citus should spread evenly over many. */
export function defaultShards(distribution: 'none' | 'citus'): number {
  return distribution === 'citus' ? 256 : 64
}

/** The SQL that sets up a database, for running it by hand. */
export function schemaText(options: SchemaOptions = {}): string {
  const { schema = defaultSchema, role } = options
  const lines = [
    `-- hashrange: schema version ${schemaVersion}. Run it once, in the database that the servers use.`,
    'BEGIN;',
    ...setUpStatements(options).map((text) => `${text};`),
    ...(role === undefined ? [] : grantStatements(schema, role).map((text) => `${text};`)),
    'COMMIT;',
  ]
  return `${lines.join('\n')}\n`
}

/** From an empty database, or from an earlier version, to the current one. */
function setUpStatements(options: SchemaOptions): readonly string[] {
  const {
    schema = defaultSchema,
    distribution = 'none',
    shards = defaultShards(distribution),
    fromVersion = 0,
  } = options
  return [
    ...(fromVersion === 0 ? foundationStatements(schema) : []),
    ...migrationStatements(schema, distribution, fromVersion),
    aboutStatement(schema, distribution, shards),
  ]
}

/** What there is before the first migration. */
export function foundationStatements(schema: string): readonly string[] {
  const { about } = tableNames(schema)
  return [
    `CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`,
    `CREATE TABLE IF NOT EXISTS ${about} (only_row bool PRIMARY KEY DEFAULT true CHECK (only_row), version int4 NOT NULL, shards int4 NOT NULL, distribution text NOT NULL)`,
  ]
}

export function aboutStatement(schema: string, distribution: 'none' | 'citus', shards: number): string {
  const { about } = tableNames(schema)
  const { version, readableFrom, writableFrom } = currentVersion(distribution)
  return `INSERT INTO ${about} (version, readable_from, writable_from, shards, distribution) VALUES (${version}, ${readableFrom}, ${writableFrom}, ${shards}, '${distribution}') ON CONFLICT (only_row) DO UPDATE SET version = excluded.version, readable_from = excluded.readable_from, writable_from = excluded.writable_from`
}

/** All rights that a server needs once the schema exists. */
export function grantStatements(schema: string, role: string): readonly string[] {
  const { about, entries, kept, counters, logs } = tableNames(schema)
  return [
    `GRANT USAGE ON SCHEMA ${quoted(schema)} TO ${quoted(role)}`,
    `GRANT SELECT ON ${about} TO ${quoted(role)}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${entries}, ${kept}, ${counters}, ${logs} TO ${quoted(role)}`,
  ]
}
