import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { inferModel, modelSource, type ExistingTable } from '@hashrange/model/import'
import { errorCode, type DatabasePort } from '@hashrange/transfer'
import { exportKeyFlags } from '../export-keys.ts'
import { readAuditLogs } from './read-audit-logs.ts'
import { Mistake } from '../mistake.ts'
import { openDatabase } from './open-database.ts'
import { openSource } from './open-place.ts'
import { databaseFlags, databasePlace, readFlags, wholeNumber } from './read-flags.ts'
import { sampleExport } from './sample-export.ts'
import { placeOfProfile, profileFlags } from './use-profile.ts'

const help = `hashrange infer: drafts a model file from an existing table, whatever wrote its items

  hashrange infer --table Orders --endpoint http://127.0.0.1:8000 --out orders.model.ts
  hashrange infer --table Orders --profile work --region eu-central-1
  hashrange infer --table Orders --path .hashrange --audit-log audit.log
  hashrange infer --table Orders --from ./exports

  --table NAME        the table; repeat it for a model with several tables
  --endpoint URL      the address of any server with the DynamoDB API, or aws
  --path FOLDER       or a data folder that no server is using
  --from PLACE        or an export: a folder, a file, or s3://bucket/prefix
  --key NAME:TYPE[,NAME:TYPE]
                      the key of the table, if the export does not contain it; exports from AWS do not
  --s3-endpoint URL   the address of an S3-compatible server, if the bucket is not on AWS
  --export-key-file FILE
                      a file with the key that the export was encrypted with (HASHRANGE_EXPORT_KEY_FILE)
  --region, --account the region and the account of the tables
  --profile NAME      an AWS profile, with SSO, roles or keys. Without --endpoint, its tables are on AWS
  --ca FILE           the issuer of the server's certificate, if this machine does not know it (PEM)
  --sample 2000       how many items to read from each table
  --audit-log FILE    a log with data events, of this server (--audit-log, --audit-data-events) or of CloudTrail; repeat it for
                      several. The patterns are then those that were called, with their rates; otherwise they are guesses
  --name NAME         the name of the model; the first table's by default
  --out FILE          where to write; standard output by default
  --force             overwrite an existing file

The draft has the entities, their keys, attributes and indexes, and says at its top how sure it is of each. Items are only read.`

const flags = {
  table: { type: 'string', multiple: true },
  sample: { type: 'string' },
  'audit-log': { type: 'string', multiple: true },
  name: { type: 'string' },
  from: { type: 'string' },
  key: { type: 'string' },
  's3-endpoint': { type: 'string' },
  ...exportKeyFlags,
  out: { type: 'string' },
  force: { type: 'boolean' },
  ...profileFlags,
  ...databaseFlags,
} as const

const usualSample = 2000

export async function infer(words: readonly string[]): Promise<number> {
  const values = readFlags('infer', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const [first, ...others] = values.table ?? []
  if (first === undefined) throw new Mistake('--table is missing. See: hashrange infer --help')
  const { out, force } = values
  if (out !== undefined && existsSync(out) && force !== true) {
    throw new Mistake(`${out} already exists. Choose another file with --out, or overwrite it with --force.`)
  }
  const sample = wholeNumber('--sample', values.sample) ?? usualSample
  const calls = await readAuditLogs(values['audit-log'] ?? [])
  const tables =
    values.from === undefined
      ? await sampleTables([first, ...others], values, sample)
      : [await sampleFrom(values.from, [first, ...others], values, sample)]
  const { description, notes } = inferModel(values.name ?? first, tables, calls)
  const source = modelSource(description, notes)
  for (const note of notes) console.error(note)
  if (out === undefined) process.stdout.write(source)
  else {
    await writeFile(out, source)
    console.error(`Wrote ${out}. Next: hashrange check ${out}`)
  }
  return 0
}

type Values = ReturnType<typeof readFlags<typeof flags>>

async function sampleTables(names: readonly string[], values: Values, sample: number): Promise<ExistingTable[]> {
  const { path, profile } = values
  if (path !== undefined && profile !== undefined)
    throw new Mistake('--profile is for tables on AWS, and --path for a folder. Use only one of them.')
  const place = databasePlace('infer', { path, endpoint: placeOfProfile(values.endpoint, profile) })
  const database = await openDatabase(place, { region: values.region, account: values.account })
  try {
    const tables: ExistingTable[] = []
    for (const name of names) tables.push(await readTable(database, name, sample))
    return tables
  } finally {
    await database.close()
  }
}

async function sampleFrom(
  from: string,
  [name = '', ...others]: readonly string[],
  values: Values,
  sample: number,
): Promise<ExistingTable> {
  if (others.length > 0) throw new Mistake('An export has the items of one table. Give one --table with --from.')
  if (values.endpoint !== undefined || values.path !== undefined)
    throw new Mistake('Give either --from, or --endpoint or --path.')
  placeOfProfile(undefined, values.profile)
  const place = await openSource(from, {
    s3Endpoint: values['s3-endpoint'],
    region: values.region,
    keyFile: values['export-key-file'],
  })
  return sampleExport(place, name, values.key, sample)
}

/** Items of one partition are neighbours, so the sample is taken from several parts of the table. */
const segments = 8

async function readTable(database: DatabasePort, TableName: string, sample: number): Promise<ExistingTable> {
  const { Table } = await database.request('DescribeTable', { TableName }).catch((error: unknown) => {
    if (errorCode(error) !== 'ResourceNotFoundException') throw error
    throw new Mistake(`There is no table "${TableName}" in ${database.name}.`, { cause: error })
  })
  const items: ExistingTable['items'][number][] = []
  const share = Math.ceil(sample / segments)
  for (let Segment = 0; Segment < segments; Segment++) {
    let ExclusiveStartKey: unknown
    const wanted = items.length + share
    do {
      const input = { TableName, Segment, TotalSegments: segments, Limit: wanted - items.length }
      const page = await database.request('Scan', {
        ...input,
        ...(ExclusiveStartKey !== undefined && { ExclusiveStartKey }),
      })
      items.push(...((page['Items'] ?? []) as ExistingTable['items']))
      ExclusiveStartKey = page['LastEvaluatedKey']
    } while (ExclusiveStartKey !== undefined && items.length < wanted)
  }
  if (items.length === 0) {
    throw new Mistake(`The table "${TableName}" is empty, so there is nothing to infer a model from.`)
  }
  return { description: { ...(Table as object) }, items }
}
