import { CsvDecoder, type Row } from '@hashrange/engine/formats'
import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readJsonSeeds } from './read-json-seeds.ts'
import { readText, TemplateError } from '@hashrange/templates'
import type { TableKeys } from '@hashrange/transfer'
import { SeedError, type Seed, type SeedItem } from './seed.ts'

/** What a model file generates. Loading one runs its code. */
type SeedsOfModel = (file: string) => Promise<readonly Seed[]>

/** Larger files are for `hashrange import`, which reads them piece by piece. */
const mostBytes = 64 * 1024 * 1024

/** What files contain for tables: JSON, CSV, models, and folders of such files. `tableName` is for files that do not name
 *  a table; by default it is the file's own name. */
export async function readSeeds(
  files: readonly string[],
  seedsOfModel: SeedsOfModel,
  tableName?: string,
): Promise<readonly Seed[]> {
  const seeds: Seed[] = []
  for (const file of files) seeds.push(...(await readSeedFile(file, seedsOfModel, tableName)))
  return seeds
}

async function readSeedFile(
  file: string,
  seedsOfModel: SeedsOfModel,
  tableName: string | undefined,
): Promise<readonly Seed[]> {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) throw new SeedError(`There is no file or folder ${file}.`)
  if (found.isDirectory()) {
    const names = readdirSync(file).filter((name) => /\.(json|jsonl|csv)(\.gz)?$/i.test(name))
    if (names.length === 0) throw new SeedError(`${file} contains no .json, .jsonl or .csv files.`)
    return readSeeds(
      names.toSorted().map((name) => join(file, name)),
      seedsOfModel,
      tableName,
    )
  }
  if (/\.[cm]?[jt]s$/.test(file)) return seedsOfModel(file)
  if (found.size > mostBytes) throw tooLarge(file)
  const text = textOf(file)
  const name = tableName ?? basename(file).split('.', 1)[0] ?? ''
  if (/\.csv(\.gz)?$/i.test(file)) {
    const content = Buffer.from(text)
    return [{ tableName: name, origin: file, items: (keyTypes) => csvItems(file, content, keyTypes) }]
  }
  return readJsonSeeds(file, text, name)
}

function textOf(file: string): string {
  try {
    return readText(file)
  } catch (error) {
    throw error instanceof TemplateError ? new SeedError(error.message, { cause: error }) : error
  }
}

function tooLarge(file: string): SeedError {
  return new SeedError(`${file} is larger than ${mostBytes / 1024 ** 2} MB. Load it with hashrange import.`)
}

function csvItems(file: string, content: Buffer, keyTypes: TableKeys['types']): readonly SeedItem[] {
  const decoder = new CsvDecoder({ delimiter: ',', header: undefined, keyTypes })
  const rows: readonly Row[] = [...decoder.push(content), ...decoder.end()]
  if (rows.length === 0 && content.includes('\r') && !content.includes('\n'))
    throw new SeedError(`${file} ends its lines with CR alone. Save it with LF or CR LF.`)
  return rows.map((row) => {
    if (row.fault !== undefined) throw new SeedError(`${file}, line ${row.line}: ${row.fault}`)
    return row.item as SeedItem
  })
}
