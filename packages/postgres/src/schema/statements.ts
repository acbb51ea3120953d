import { typeOf } from '../connection/messages.ts'
import type { Statement } from '../connection/statement.ts'
import { gateClosedCode, movedCode } from '../connection/sql-error.ts'
import { partNames, quoted, tableNames, type PartSuffixes, type TableNames } from './names.ts'

export type Statements = ReturnType<typeof statementsFor>

const { bool, bytea, int4, int8, float8, byteaArray, int4Array, int8Array } = typeOf

/** The maximum number of counters in a vector: each is a column. ON DISK. */
export const counterParts = 8

/** Any number will do, as long as every version of the software takes the same. */
const gateLock = 7_265_627_020

const parts = Array.from({ length: counterParts }, (_, part) => `a${part}`)
const sums = parts.map((part) => `coalesce(sum(${part}), 0)`).join(', ')

/** Everything that is sent to the database while requests are served. Each statement names its shard, except for
 *  those that read several; on Citus it goes to one node. A statement that finds a row changed since it was read
 *  divides by zero: the error ends the transaction at once, before its COMMIT, which is already on its way. */
export function statementsFor(schema: string, shards: number) {
  return statementsOn(tableNames(schema), shards)
}

function statementsOn(tables: TableNames, shards: number) {
  const { schema, about, entries, kept, counters, logs } = tables
  const countersBetween = (order: string): string =>
    `SELECT key, max(width), ${sums} FROM ${counters} WHERE key >= $1 AND key < $2 GROUP BY key ORDER BY key ${order} LIMIT $3`

  return {
    begin: statement('begin', 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE', []),
    beginSnapshot: statement('begin_snapshot', 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', []),
    commit: statement('commit', 'COMMIT', []),
    rollback: statement('rollback', 'ROLLBACK', []),
    /** The same for both tables of entries. */
    entries: entryStatements(entries, ''),
    copies: copyStatements(entries, shards),
    /** Where there are several nodes: finishes the commits that some of them have not heard of. */
    finishCommits: statement('finish_commits', 'SELECT recover_prepared_transactions()', []),
    kept: entryStatements(kept, 'kept_'),
    /** The last two concern the session: whether it only reads, and whether that is so because of a standby. */
    probe: statement(
      'probe',
      `SELECT version, readable_from, writable_from, current_setting('transaction_read_only') = 'on', pg_is_in_recovery()
         FROM ${about}`,
      [],
    ),
    time: statement('time', 'SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8', []),
    /** How far the log of the database is on its disk. A standby has a different notion of it. */
    written: statement(
      'written',
      'SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_current_wal_flush_lsn() END',
      [],
    ),
    /** On several nodes: writers pass the gate together, and whoever takes a snapshot of all nodes closes it for a
     *  moment. The coordinator holds the lock until all nodes have committed. */
    passGate: statement('pass_gate', `SELECT pg_advisory_xact_lock_shared(${gateLock})`, []),
    closeGate: statement('close_gate', `SELECT pg_advisory_xact_lock(${gateLock})`, []),
    /** Changes nothing, and has Citus prepare the commit on all nodes that have these shards. By itself, it does so only
     *  where a transaction has first written to one node and then used another; one that has locked entries on both before
     *  it wrote would be committed on one after the other. A node that has been lost since the entries were locked, and
     *  the locks with it, makes it fail. */
    enlist: statement('enlist', `DELETE FROM ${entries} WHERE shard = ANY ($1) AND key = ''`, [int4Array]),
    /** Closes the gate of the node that has a shard, in a transaction of the coordinator. */
    closeGateOf: statement(
      'close_gate_of',
      `SELECT count(*), pg_advisory_xact_lock(${gateLock}) FROM ${entries} WHERE shard = $1 AND key = ''`,
      [int4],
    ),
    /** On a node itself: parts of the tables stay where they are until the transaction ends. */
    holdParts: statement('hold_parts', `SELECT ${schema}.hold_parts($1, $2)`, [int8Array, bool]),
    touch: statement('touch', `SELECT 1 FROM ${entries} WHERE shard = $1 LIMIT 1`, [int4]),

    add: addition('add', counters, 1),
    /** To two counters, as a table with an index has them. One statement takes two thirds of the time of two. */
    addTwice: addition('add_twice', counters, 2),
    getCounter: statement(
      'get_counter',
      `SELECT max(width), ${sums} FROM ${counters} WHERE shard = $1 AND key = $2 HAVING count(*) > 0`,
      [int4, bytea],
    ),
    deleteCounter: statement('delete_counter', `DELETE FROM ${counters} WHERE shard = $1 AND key = $2`, [
      int4,
      bytea,
    ]),
    /** For counters whose parts are in all shards. */
    sumCounter: statement(
      'sum_counter',
      `SELECT max(width), ${sums} FROM ${counters} WHERE key = $1 HAVING count(*) > 0`,
      [bytea],
    ),
    clearCounter: statement('clear_counter', `DELETE FROM ${counters} WHERE key = $1`, [bytea]),
    counters: statement('counters', countersBetween('ASC'), [bytea, bytea, int8]),
    countersReverse: statement('counters_reverse', countersBetween('DESC'), [bytea, bytea, int8]),

    /** The highest sequence of any log. */
    lastSequence: statement('last_sequence', `SELECT coalesce(max(last), 0) FROM ${logs}`, []),
    beginLog: statement(
      'begin_log',
      `INSERT INTO ${logs} (shard, log, last) VALUES ($1, $2, $3) ON CONFLICT (shard, log) DO NOTHING`,
      [int4, bytea, int8],
    ),
    /** Allocates the next sequences of a log: `$4` of them, the first no lower than `$3`. Others that append to the
     *  log wait for this transaction to end, so that sequences become visible in order. */
    takeSequences: statement(
      'take_sequences',
      `INSERT INTO ${logs} AS head (shard, log, last) VALUES ($1, $2, $3 + $4 - 1)
         ON CONFLICT (shard, log) DO UPDATE SET last = greatest(head.last + 1, $3) + $4 - 1
         RETURNING last - $4 + 1`,
      [int4, bytea, int8, int8],
    ),
    /** The same, and the entries with it. */
    append: statement(
      'append',
      `WITH taken AS (
         INSERT INTO ${logs} AS head (shard, log, last) VALUES ($1, $2, $3 + $4 - 1)
           ON CONFLICT (shard, log) DO UPDATE SET last = greatest(head.last + 1, $3) + $4 - 1
           RETURNING last - $4 + 1 AS first)
       INSERT INTO ${entries} (shard, key, version, value)
         SELECT $1, $2 || int8send(taken.first + entry.position - 1), $5, entry.value
           FROM taken, unnest($6) WITH ORDINALITY AS entry (value, position)`,
      [int4, bytea, int8, int8, int8, byteaArray],
    ),
  }
}

function addition(name: string, table: string, count: number): Statement {
  const types = [int4, bytea, int4, int4, ...parts.map(() => float8)]
  const rows = Array.from({ length: count }, (_, row) => {
    const places = types.map((_type, column) => `$${row * types.length + column + 1}`)
    return `(${places.join(', ')})`
  })
  return statement(
    name,
    `INSERT INTO ${table} AS counter (shard, key, slot, width, ${parts.join(', ')}) VALUES ${rows.join(', ')}
       ON CONFLICT (shard, key, slot) DO UPDATE SET width = greatest(counter.width, excluded.width),
         ${parts.map((part) => `${part} = counter.${part} + excluded.${part}`).join(', ')}`,
    rows.flatMap(() => types),
  )
}

/** For entries of which every shard has a copy. One statement for all shards takes Citus a third of the time of one for
 *  each. */
function copyStatements(table: string, shards: number) {
  const rows = Array.from({ length: shards }, (_, shard) => `(${shard}, $1, $2, $3)`).join(', ')
  return {
    put: statement(
      'copies_put',
      `INSERT INTO ${table} (shard, key, version, value) VALUES ${rows}
         ON CONFLICT (shard, key) DO UPDATE SET version = excluded.version, value = excluded.value`,
      [bytea, int8, bytea],
    ),
    delete: statement('copies_delete', `DELETE FROM ${table} WHERE key = $1`, [bytea]),
  }
}

function entryStatements(table: string, prefix: string) {
  const held = `entry.shard = $1 AND entry.key = $2 AND entry.version = $3`
  const between = (shard: string, order: string): string =>
    `SELECT key, value FROM ${table} WHERE shard = ${shard} AND key >= $1 AND key < $2 ORDER BY key ${order} LIMIT $3`
  /** Shard after shard: one is read if those before it did not have enough. */
  const along = (shards: string, order: string): string =>
    `SELECT entry.key, entry.value FROM ${shards} AS walk (shard), LATERAL (${between('walk.shard', order)}) AS entry LIMIT $3`
  /** The beginning of each of some shards, which are in one part of the table: then Citus sends it on as it is. */
  const ofEach = (order: string): string =>
    `SELECT entry.key, entry.value, walk.shard FROM unnest($4) AS walk (shard), LATERAL (${between('walk.shard AND shard = ANY ($4)', order)}) AS entry`
  /** Shard after shard, it uses the index, and ends where it finds something. */
  const firstKey = (order: string): string =>
    `SELECT key FROM ${table} WHERE shard = ANY ($3) AND key >= $1 AND key < $2 ORDER BY shard ${order}, key ${order} LIMIT 1`
  const named = (name: string, text: string, types: readonly number[]): Statement =>
    statement(`${prefix}${name}`, text, types)

  return {
    get: named('get', `SELECT version, value FROM ${table} WHERE shard = $1 AND key = $2`, [int4, bytea]),
    /** The position of each existing key, counted from one. */
    getMany: named(
      'get_many',
      `SELECT wanted.position, entry.version, entry.value
         FROM unnest($1, $2) WITH ORDINALITY AS wanted (shard, key, position),
              LATERAL (SELECT version, value FROM ${table} AS stored
                        WHERE stored.shard = wanted.shard AND stored.key = wanted.key LIMIT 1) AS entry`,
      [int4Array, byteaArray],
    ),
    getInShard: named(
      'get_in_shard',
      `SELECT key, version, value FROM ${table} WHERE shard = $1 AND key = ANY ($2)`,
      [int4, byteaArray],
    ),
    lockInShard: named(
      'lock_in_shard',
      `SELECT key, version, value FROM ${table} WHERE shard = $1 AND key = ANY ($2) ORDER BY key FOR UPDATE`,
      [int4, byteaArray],
    ),
    shareInShard: named(
      'share_in_shard',
      `SELECT key, version, value FROM ${table} WHERE shard = $1 AND key = ANY ($2) ORDER BY key FOR SHARE`,
      [int4, byteaArray],
    ),
    range: named('range', between('$4', 'ASC'), [bytea, bytea, int8, int4]),
    rangeReverse: named('range_reverse', between('$4', 'DESC'), [bytea, bytea, int8, int4]),
    rangeAlong: named('range_along', along('generate_series($4, $5)', 'ASC'), [bytea, bytea, int8, int4, int4]),
    rangeAlongReverse: named('range_along_reverse', along('generate_series($5, $4, -1)', 'DESC'), [
      bytea,
      bytea,
      int8,
      int4,
      int4,
    ]),

    rangeOfEach: named('range_of_each', ofEach('ASC'), [bytea, bytea, int8, int4Array]),
    rangeOfEachReverse: named('range_of_each_reverse', ofEach('DESC'), [bytea, bytea, int8, int4Array]),

    /** Beyond shards that have nothing, Citus asks all others at once. */
    first: named('first', firstKey('ASC'), [bytea, bytea, int4Array]),
    firstReverse: named('first_reverse', firstKey('DESC'), [bytea, bytea, int4Array]),

    /** The key was absent: a row that has appeared since is an error. */
    insert: named('insert', `INSERT INTO ${table} (shard, key, version, value) VALUES ($1, $2, $3, $4)`, [
      int4,
      bytea,
      int8,
      bytea,
    ]),
    put: named(
      'put',
      `INSERT INTO ${table} (shard, key, version, value) VALUES ($1, $2, $3, $4)
         ON CONFLICT (shard, key) DO UPDATE SET version = excluded.version, value = excluded.value`,
      [int4, bytea, int8, bytea],
    ),
    putNew: named(
      'put_new',
      `INSERT INTO ${table} (shard, key, version, value) VALUES ($1, $2, $3, $4) ON CONFLICT (shard, key) DO NOTHING`,
      [int4, bytea, int8, bytea],
    ),
    replace: named(
      'replace',
      `WITH held AS (UPDATE ${table} AS entry SET version = $4, value = $5 WHERE ${held} RETURNING 1)
         SELECT 1 / count(*) FROM held`,
      [int4, bytea, int8, int8, bytea],
    ),
    /** Several at once, as `replace` and `insert` do. The row that is proposed has the version that was read; if none was
     *  there, the new one, which no stored row can have. So each row that gets the new version was as it had been read. */
    replaceMany: named(
      'replace_many',
      `WITH held AS (
         INSERT INTO ${table} AS entry (shard, key, version, value) SELECT * FROM unnest($1, $2, $3, $4)
           ON CONFLICT (shard, key) DO UPDATE SET version = $5, value = excluded.value
             WHERE entry.version = excluded.version
           RETURNING entry.version)
       SELECT 1 / (count(*) = cardinality($1))::int4 FROM held WHERE version = $5`,
      [int4Array, byteaArray, int8Array, byteaArray, int8],
    ),
    putMany: named(
      'put_many',
      `INSERT INTO ${table} (shard, key, version, value)
         SELECT wanted.shard, wanted.key, $4, wanted.value FROM unnest($1, $2, $3) AS wanted (shard, key, value)
         ON CONFLICT (shard, key) DO UPDATE SET version = excluded.version, value = excluded.value`,
      [int4Array, byteaArray, byteaArray, int8],
    ),
    delete: named('delete', `DELETE FROM ${table} WHERE shard = $1 AND key = $2`, [int4, bytea]),
    deleteHeld: named(
      'delete_held',
      `WITH held AS (DELETE FROM ${table} AS entry WHERE ${held} RETURNING 1) SELECT 1 / count(*) FROM held`,
      [int4, bytea, int8],
    ),
    verify: named(
      'verify',
      `SELECT 1 / count(*) FROM (SELECT 1 FROM ${table} AS entry WHERE ${held} FOR SHARE) AS held`,
      [int4, bytea, int8],
    ),
  }
}

/** The statements for one part of the tables, which a connection to its node prepares as it needs them. */
export function partStatements(schema: string, suffixes: PartSuffixes): Statements {
  const lazily = ({ name, text, types }: Statement): Statement => ({
    name: `${name}_${suffixes.entries}`,
    text,
    types,
    isLazy: true,
  })
  const each = <T extends Readonly<Record<string, Statement>>>(group: T): T =>
    Object.fromEntries(Object.entries(group).map(([name, one]) => [name, lazily(one)])) as T
  const { entries, kept, copies, ...others } = statementsOn(partNames(schema, suffixes), 1)
  return { ...each(others), entries: each(entries), kept: each(kept), copies }
}

/** The statements for a connection to prepare. */
export function allStatements(all: Statements, distributed: boolean): readonly Statement[] {
  const { entries, kept, copies, finishCommits, closeGateOf, enlist, holdParts: _, ...others } = all
  const some = [entries, kept, others].flatMap((group): readonly Statement[] => Object.values(group))
  return distributed ? [...some, ...Object.values(copies), finishCommits, closeGateOf, enlist] : some
}

/** Those for a connection to a node itself. */
export function nodeStatements({ begin, commit, rollback, holdParts }: Statements): readonly Statement[] {
  return [begin, commit, rollback, holdParts]
}

/** ON DISK, in the schema of a Citus database. Whoever moves a part to another node locks it exclusively on all nodes, and
 *  changes its place meanwhile. The tables' owner may lock it, so the function has his rights. Writers pass the gate of
 *  the node, but never wait for it: they might hold that of another node, and whoever closes all gates waits for them. */
export function holdPartsFunction(schema: string): string {
  return `CREATE FUNCTION ${quoted(schema)}.hold_parts(parts int8[], writes bool) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF writes AND NOT pg_catalog.pg_try_advisory_xact_lock_shared(${gateLock}) THEN
    RAISE EXCEPTION 'a snapshot of all nodes is being taken' USING ERRCODE = '${gateClosedCode}';
  END IF;
  PERFORM pg_catalog.lock_shard_metadata(5, parts);
  IF (SELECT pg_catalog.count(*) FROM pg_catalog.pg_dist_placement AS placement, pg_catalog.pg_dist_local_group AS here
       WHERE placement.shardid OPERATOR(pg_catalog.=) ANY (parts) AND placement.groupid OPERATOR(pg_catalog.=) here.groupid)
     OPERATOR(pg_catalog.<>) pg_catalog.cardinality(parts) THEN
    RAISE EXCEPTION 'a part of the tables is on another node' USING ERRCODE = '${movedCode}';
  END IF;
END $$`
}

function statement(name: string, text: string, types: readonly number[]): Statement {
  return { name: `hashrange_${name}`, text, types }
}
