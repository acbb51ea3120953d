import { plantSeeds } from '../seed/plant-seeds.ts'
import { readSeeds } from '../seed/read-seeds.ts'
import { SeedError } from '../seed/seed.ts'
import { Mistake } from '../mistake.ts'
import { openDatabase } from './open-database.ts'
import { databaseFlags, databasePlace, readWords } from './read-flags.ts'
import { seedsOfModel } from './seeds-of-model.ts'
import { endpointOfServer } from './endpoint-of-server.ts'

const help = `hashrange seed: puts the items of files into tables, for development and tests

  hashrange seed seeds/
  hashrange seed orders.json --table Orders
  hashrange seed shop.model.ts

  FILE…               .json: plain JSON or DynamoDB JSON; a list of items, an item per line, or lists by table
                      ({"Orders": [{"id": "1", "total": 99}]}), also in the form of BatchWriteItem;
                      .csv: the first line names the attributes;
                      a NoSQL Workbench model: its tables and its sample data;
                      a model file: its tables, and generated items for every entity;
                      a folder: all .json, .jsonl and .csv files in it;
                      each also compressed with gzip: orders.json.gz
  --table NAME        the table, for files that do not name one; by default the name of the file
  --endpoint PLACE    where the tables are: the address of a server, or aws;
                      http://127.0.0.1:8000 unless HASHRANGE_ENDPOINT is set
  --ca FILE           the issuer of the server's certificate, if this machine does not know it (PEM)
  --path FOLDER       or a data folder that no server is using
  --region REGION
  --account DIGITS    in a data folder: the account that owns the tables

Items with the same key are replaced, so seeding again changes nothing. Other items are left alone. To seed empty tables
when a server starts: hashrange start --model shop.model.ts --seed, or hashrange start --seed FILE.`

const flags = { ...databaseFlags, table: { type: 'string' } } as const

export async function seed(words: readonly string[]): Promise<number> {
  const { values, positionals: files } = readWords('seed', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  if (files.length === 0) throw new Mistake('Name a file, such as: hashrange seed orders.json')
  const place = databasePlace('seed', {
    path: values.path,
    endpoint: values.endpoint ?? (values.path === undefined ? endpointOfServer() : undefined),
  })
  try {
    const seeds = await readSeeds(files, seedsOfModel, values.table)
    const { region, account } = values
    const database = await openDatabase(place, { region, account, mayBeNew: true })
    try {
      await plantSeeds(database, seeds, { onlyEmpty: false, tell: (line) => console.log(line) })
    } finally {
      await database.close()
    }
    return 0
  } catch (error) {
    throw error instanceof SeedError ? new Mistake(error.message, { cause: error }) : error
  }
}
