import type { StoredVersion } from '@hashrange/engine'
import { counterParts, holdPartsFunction } from './statements.ts'
import { quoted, tableNames } from './names.ts'

/** One step from a version of the schema to the next. */
export interface Migration {
  readonly version: number
  /** Which versions of servers can read and write what it leaves. What older servers need not know about raises
   *  neither: they can run beside newer ones. A step that raises `writableFrom` also renames what they write to: they
   *  check the version once a second, but one that stands still right now must not finish what it had started. */
  readonly readableFrom: number
  readonly writableFrom: number
  /** If it concerns only what Citus distributes: which servers can write there. */
  readonly writableOnCitusFrom?: number
  readonly statements: readonly string[]
  /** What is also run where Citus distributes the tables over its nodes. */
  readonly distributed: readonly string[]
  /** Moves existing entries to where they belong. */
  readonly moves?: readonly string[]
}

/** The version that this software reads and writes. */
export const schemaVersion = 5

/** All steps, in order. A released step is never changed: another one follows it. ON DISK. */
function migrationsFor(schema: string): readonly Migration[] {
  const { about, entries: data, kept, counters, logs } = tableNames(schema)
  const entries = `${quoted(schema)}.entries`
  const parts = Array.from({ length: counterParts }, (_, part) => `a${part} float8 NOT NULL DEFAULT 0`).join(', ')
  return [
    {
      version: 1,
      readableFrom: 1,
      writableFrom: 1,
      statements: [
        // Rows that are updated in place need space on their page.
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
    {
      version: 2,
      readableFrom: 2,
      writableFrom: 2,
      // Servers of version 1 know nothing about cuts, nor where backups are now: they must not find the items' table
      // under its old name.
      statements: [
        `ALTER TABLE ${entries} RENAME TO data`,
        `CREATE TABLE ${kept} (shard int4 NOT NULL, key bytea NOT NULL, version int8 NOT NULL, value bytea NOT NULL, PRIMARY KEY (shard, key))`,
      ],
      distributed: [`SELECT create_distributed_table('${kept}', 'shard', colocate_with => '${data}')`],
      moves: [
        `INSERT INTO ${kept} (shard, key, version, value) SELECT shard, key, version, value FROM ${data} WHERE key >= '\\x22' AND key < '\\x23'`,
        `DELETE FROM ${data} WHERE key >= '\\x22' AND key < '\\x23'`,
      ],
    },
    {
      version: 3,
      readableFrom: 2,
      writableFrom: 2,
      statements: [
        `ALTER TABLE ${about} ADD COLUMN readable_from int4 NOT NULL DEFAULT 2, ADD COLUMN writable_from int4 NOT NULL DEFAULT 2`,
      ],
      distributed: [],
    },
    {
      version: 4,
      readableFrom: 2,
      writableFrom: 2,
      // A server of version 3 would change one copy alone.
      writableOnCitusFrom: 4,
      statements: [],
      // The versions of the definitions, which every write reads, are in every shard.
      distributed: [
        `INSERT INTO ${data} (shard, key, version, value) SELECT copy.shard, entry.key, entry.version, entry.value FROM ${data} AS entry CROSS JOIN generate_series(0, (SELECT shards - 1 FROM ${about})) AS copy (shard) WHERE entry.key >= '\\x07' AND entry.key < '\\x08' ON CONFLICT (shard, key) DO NOTHING`,
      ],
    },
    {
      version: 5,
      readableFrom: 2,
      writableFrom: 2,
      // Snapshots of a server of version 4 do not wait for those who write to the nodes themselves.
      writableOnCitusFrom: 5,
      statements: [],
      distributed: [holdPartsFunction(schema)],
    },
  ]
}

/** What the newest of these steps requires. */
export function currentVersion(distribution: 'none' | 'citus' = 'none'): StoredVersion {
  const newest = migrationsFor('').at(-1)
  if (newest?.version !== schemaVersion)
    throw new Error('the newest migration does not have the version of the schema')
  const { version, readableFrom, writableFrom, writableOnCitusFrom = writableFrom } = newest
  return { version, readableFrom, writableFrom: distribution === 'citus' ? writableOnCitusFrom : writableFrom }
}

/** What upgrades a schema from a version, 0 if there is none, to the current one. */
export function migrationStatements(
  schema: string,
  distribution: 'none' | 'citus',
  fromVersion: number,
): readonly string[] {
  return migrationsFor(schema)
    .filter(({ version }) => version > fromVersion)
    .flatMap(({ statements, distributed, moves = [] }) => [
      ...statements,
      ...(distribution === 'citus' ? distributed : []),
      ...moves,
    ])
}
