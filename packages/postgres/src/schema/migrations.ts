import { counterParts } from './statements.ts'
import { tableNames } from './names.ts'

/** One step from a version of the schema to the next. */
export interface Migration {
  readonly version: number
  readonly statements: readonly string[]
  /** What is said besides where Citus spreads the tables over its nodes. */
  readonly distributed: readonly string[]
}

/** The version that this software reads and writes. */
export const schemaVersion = 1

/** All steps, in order. A step that has been released is never changed: another follows it. ON DISK. */
export function migrationsFor(schema: string): readonly Migration[] {
  const { entries, counters, logs } = tableNames(schema)
  const parts = Array.from({ length: counterParts }, (_, part) => `a${part} float8 NOT NULL DEFAULT 0`).join(', ')
  return [
    {
      version: 1,
      statements: [
        // Rows that are updated in place need room on their page.
        `CREATE TABLE ${entries} (shard int4 NOT NULL, key bytea NOT NULL, version int8 NOT NULL, value bytea NOT NULL, PRIMARY KEY (shard, key)) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05)`,
        `CREATE TABLE ${counters} (shard int4 NOT NULL, key bytea NOT NULL, slot int4 NOT NULL, width int4 NOT NULL, ${parts}, PRIMARY KEY (shard, key, slot)) WITH (fillfactor = 50)`,
        `CREATE TABLE ${logs} (shard int4 NOT NULL, log bytea NOT NULL, last int8 NOT NULL, PRIMARY KEY (shard, log)) WITH (fillfactor = 50)`,
      ],
      distributed: [
        `SELECT create_distributed_table('${entries}', 'shard')`,
        `SELECT create_distributed_table('${counters}', 'shard', colocate_with => '${entries}')`,
        `SELECT create_distributed_table('${logs}', 'shard', colocate_with => '${entries}')`,
      ],
    },
  ]
}
