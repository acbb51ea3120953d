import type { Client } from 'pg'
import { tableNames, type PartSuffixes } from '../schema/names.ts'

/** A node that has parts of the tables. */
export interface NodeAddress {
  /** Citus's number of the group of a primary and its standbys. */
  readonly group: number
  readonly host: string
  readonly port: number
  /** What its database says of itself, if the coordinator could ask it. Its address may lead this machine elsewhere. */
  readonly systemIdentifier: string | undefined
}

/** A part of the tables, which Citus moves from node to node as one. Citus calls it a shard; it has several of ours. */
export interface Part {
  readonly group: number
  readonly suffixes: PartSuffixes
}

/** Where everything is at the moment. */
export interface ShardMap {
  readonly nodes: readonly NodeAddress[]
  /** By our shards. */
  readonly parts: readonly (Part | undefined)[]
  /** One of our shards on each node, by its group. */
  readonly anchors: ReadonlyMap<number, number>
}

/** Asks the coordinator. */
export async function loadShardMap(
  client: Client,
  schema: string,
  shards: number,
  known: readonly NodeAddress[],
): Promise<ShardMap> {
  const tables = tableNames(schema)
  const { rows } = await client.query<PartRow>(
    `SELECT ours.shard, placement.groupid AS group, ids.*
       FROM generate_series(0, $1 - 1) AS ours (shard)
       CROSS JOIN LATERAL (SELECT
         get_shard_id_for_distribution_column($2::regclass, ours.shard)::text AS entries,
         get_shard_id_for_distribution_column($3::regclass, ours.shard)::text AS kept,
         get_shard_id_for_distribution_column($4::regclass, ours.shard)::text AS counters,
         get_shard_id_for_distribution_column($5::regclass, ours.shard)::text AS logs) AS ids
       JOIN pg_dist_placement AS placement ON placement.shardid = ids.entries::int8`,
    [shards, tables.entries, tables.kept, tables.counters, tables.logs],
  )
  const parts: (Part | undefined)[] = Array.from({ length: shards })
  for (const { shard, group, ...suffixes } of rows) parts[shard] = { group, suffixes }
  const anchors = new Map(rows.map(({ shard, group }) => [group, shard]))
  return { nodes: await loadNodes(client, known), parts, anchors }
}

/** Only nodes that know where everything is notice it when a part moves away. */
async function loadNodes(client: Client, known: readonly NodeAddress[]): Promise<readonly NodeAddress[]> {
  const { rows } = await client.query<NodeRow>(
    `SELECT nodeid AS node, groupid AS group, nodename AS host, nodeport AS port
       FROM pg_dist_node
      WHERE isactive AND noderole = 'primary' AND shouldhaveshards
        AND (groupid = 0 OR (hasmetadata AND metadatasynced))`,
  )
  const before = ({ group, host, port }: NodeRow): string | undefined =>
    known.find((one) => one.group === group && one.host === host && one.port === port)?.systemIdentifier
  const isAllKnown = rows.every((row) => before(row) !== undefined)
  const asked = isAllKnown ? new Map<number, string>() : await identifiersOf(client)
  return rows.map((row) => ({
    group: row.group,
    host: row.host,
    port: row.port,
    systemIdentifier: before(row) ?? asked.get(row.node),
  }))
}

async function identifiersOf(client: Client): Promise<ReadonlyMap<number, string>> {
  const { rows } = await client.query<{ nodeid: number; result: string }>(
    "SELECT nodeid, result FROM run_command_on_all_nodes('SELECT system_identifier FROM pg_control_system()') WHERE success",
  )
  return new Map(rows.map(({ nodeid, result }) => [nodeid, result]))
}

interface PartRow extends PartSuffixes {
  readonly shard: number
  readonly group: number
}

interface NodeRow {
  readonly node: number
  readonly group: number
  readonly host: string
  readonly port: number
}
