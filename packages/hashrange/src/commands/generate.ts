import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { modelSource, readDataModel, readNoSqlWorkbench, type ImportedModel } from '@hashrange/model/import'
import { loadModel } from './load-model.ts'
import { formatNames, isFormat, render, type Format } from './generate-formats.ts'
import { Mistake } from '../mistake.ts'
import { parseJson } from '../parse-json.ts'
import { readWords, wholeNumber } from './read-flags.ts'

const help = `hashrange generate: generates infrastructure, docs and sample data from a model, or imports a model from another tool

  hashrange generate shop.model.ts --to cloudformation --out template.yaml
  hashrange generate shop.model.ts --to markdown
  hashrange generate workbench.json --from nosql-workbench --out shop.model.ts

  --to FORMAT     cloudformation    a template, in YAML, or in JSON with --json or if the --out file ends in .json
                  cdk               a TypeScript construct
                  terraform         resources for the AWS provider
                  create-table      input for CreateTable, for --cli-input-json or the SDK; a list if there are several tables
                  nosql-workbench   a model for NoSQL Workbench, with sample data
                  data-model        the dynamodb_data_model.json of AWS's modelling tool
                  markdown          access patterns, item collections (Mermaid), tables and entities
                  sample-data       items for BatchWriteItem, by table
                  iam               the least-privilege policy of each role that the model declares
  --from FORMAT   nosql-workbench or data-model: import a file in this format as a model file
  --out FILE      where to write; standard output by default
  --force         overwrite an existing model file, which may hold hand-written code
  --base FILE     nosql-workbench, data-model: an earlier file; whatever the model does not describe is kept from it.
                  By default, the file that --out overwrites
  --role NAME     iam: only the policy of this role
  --seed 1        seed of the sample data; another number gives other data
  --json          cloudformation: write JSON`

const flags = {
  to: { type: 'string' },
  from: { type: 'string' },
  out: { type: 'string' },
  force: { type: 'boolean' },
  base: { type: 'string' },
  seed: { type: 'string' },
  json: { type: 'boolean' },
  role: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

export async function generate(words: readonly string[]): Promise<number> {
  const { values, positionals } = readWords('generate', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) throw new Mistake('Name one file. See: hashrange generate --help')
  const { from, to, out } = values
  if ((from === undefined) === (to === undefined)) {
    throw new Mistake(
      'Use --to to say what to generate, or --from to say what to import. See: hashrange generate --help',
    )
  }
  if (out !== undefined && /\.model\.[cm]?[jt]s$/.test(out) && existsSync(out) && values.force !== true) {
    throw new Mistake(
      `The model file ${out} already exists. Choose another file with --out, or overwrite it with --force.`,
    )
  }
  if (from !== undefined) {
    const { description, notes } = await importFile(file, from)
    await put(out, modelSource(description, notes))
    for (const note of notes) console.error(note)
    return 0
  }
  const format = formatOf(to ?? '')
  const model = await loadModel(file)
  const isJson = values.json === true || out?.endsWith('.json') === true
  const seed = wholeNumber('--seed', values.seed)
  const base = format === 'nosql-workbench' || format === 'data-model' ? await baseOf(values.base, out) : undefined
  const { text, notes } = await render(format, model, {
    isJson,
    base,
    role: values.role,
    ...(seed !== undefined && { seed }),
  })
  await put(out, text)
  for (const note of notes) console.error(note)
  return 0
}

function formatOf(word: string): Format {
  if (isFormat(word)) return word
  throw new Mistake(`--to must be one of ${formatNames.join(', ')}, not "${word}".`)
}

async function importFile(file: string, from: string): Promise<ImportedModel> {
  const document = parse(file, await readNamed(file))
  if (from === 'nosql-workbench') return readNoSqlWorkbench(document)
  if (from === 'data-model') return readDataModel(document, basename(file).replace(/\.json$/, ''))
  throw new Mistake(`--from must be nosql-workbench or data-model, not "${from}".`)
}

/** The file that is overwritten may not exist yet, or be of another kind; a named one must be right. */
async function baseOf(named: string | undefined, out: string | undefined): Promise<unknown> {
  if (named !== undefined) return parse(named, await readNamed(named))
  if (out === undefined) return undefined
  try {
    return parse(out, await readFile(out, 'utf8'))
  } catch {
    return undefined
  }
}

async function readNamed(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Mistake(`${file} cannot be read (${reasonOf(cause)}).`, { cause })
  })
}

function parse(file: string, text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new Mistake(`${file} is not valid JSON.`, { cause: error })
  }
}

async function put(out: string | undefined, text: string): Promise<void> {
  if (out === undefined) process.stdout.write(text)
  else {
    await writeFile(out, text).catch((cause: unknown) => {
      throw new Mistake(`${out} cannot be written (${reasonOf(cause)}).`, { cause })
    })
    console.error(`Wrote ${out}`)
  }
}

/** `no such file or directory`, without the code before it and the call after it. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause)
  return /^[A-Z]+: (.*?), /.exec(message)?.[1] ?? message
}
