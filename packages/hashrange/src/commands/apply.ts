import { createInterface } from 'node:readline/promises'
import { TemplateError, type TablePlan } from '@hashrange/templates'
import { applyTables } from '../apply/apply-tables.ts'
import { readTables } from '../apply/read-tables.ts'
import { counted } from './counted.ts'
import { Mistake } from '../mistake.ts'
import { openDatabase } from './open-database.ts'
import { databaseFlags, databasePlace, readWords } from './read-flags.ts'
import { tablesOfModel } from './tables-of-model.ts'

const help = `hashrange apply: creates and updates tables as your infrastructure files declare them

  hashrange apply template.yaml
  hashrange apply template.yaml --parameter Stage=test --diff
  hashrange apply cdk.out
  terraform show -json plan.out > plan.json && hashrange apply plan.json

  FILE…               CloudFormation or SAM templates (YAML or JSON), a folder that cdk synth wrote, serverless.yml, a plan
                      or state of Terraform as JSON, and model files
  --diff              only show what would change
  --replace           also replace tables whose key or local indexes are different. Their items are lost
  --parameter K=V     a parameter of the template; can be given more than once
  --stack NAME        the name of the stack; tables without a name are called NAME-LogicalId
  --stage STAGE       the stage, for serverless.yml; by default the one in the file, or dev
  --endpoint PLACE    where to apply it: the address of a server, or aws; http://127.0.0.1:8000 by default
  --ca FILE           the issuer of the server's certificate, if this machine does not know it (PEM)
  --path FOLDER       or a data folder that no server is using
  --region REGION
  --account DIGITS    in a data folder: the account that owns the tables

Keys, indexes, capacity, streams, time to live, point-in-time recovery, tags, table class, deletion protection, Contributor
Insights and resource policies are made as they are declared. A second run changes nothing. Tables that the files do not
declare are left alone. Everything that is not a table is listed as skipped.`

const flags = {
  ...databaseFlags,
  diff: { type: 'boolean' },
  replace: { type: 'boolean' },
  parameter: { type: 'string', multiple: true },
  stack: { type: 'string' },
  stage: { type: 'string' },
} as const

export async function apply(words: readonly string[]): Promise<number> {
  const { values, positionals: files } = readWords('apply', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  if (files.length === 0) throw new Mistake('Name a file, such as: hashrange apply template.yaml')
  const region = values.region ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'] ?? 'us-east-1'
  const known = {
    region,
    accountId: values.account ?? '000000000000',
    stack: values.stack,
    stage: values.stage,
    parameters: parametersOf(values.parameter ?? []),
  }
  const declared = await readTables(files, known, tablesOfModel).catch((error: unknown) => {
    throw error instanceof TemplateError ? new Mistake(error.message, { cause: error }) : error
  })
  const place = databasePlace('apply', {
    path: values.path,
    endpoint: values.endpoint ?? (values.path === undefined ? 'http://127.0.0.1:8000' : undefined),
  })
  const database = await openDatabase(place, { region, account: values.account, mayBeNew: true })
  try {
    console.log(`${files.join(', ')}: ${counted(declared.tables.length, 'table')}, in ${database.name}`)
    const left = await applyTables(database, declared, {
      isDiff: values.diff === true,
      mayReplace: values.replace === true ? () => true : askWhetherToReplace,
      tell: (line) => console.log(line),
    })
    tellOfSkipped(declared.skipped)
    for (const problem of declared.problems) console.error(`hashrange: ${problem}`)
    if (left.length > 0 && values.diff !== true)
      console.error('hashrange: to replace tables, with the loss of their items, run it again with --replace.')
    return declared.problems.length > 0 || (left.length > 0 && values.diff !== true) ? 1 : 0
  } finally {
    await database.close()
  }
}

function parametersOf(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((text) => {
      const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
      if (name === '') throw new Mistake(`--parameter must be NAME=VALUE, not "${text}".`)
      return [name, value]
    }),
  )
}

/** By kind: a template may have hundreds of resources. */
function tellOfSkipped(skipped: readonly { readonly name: string; readonly type: string }[]): void {
  const byType = new Map<string, number>()
  for (const { type } of skipped) byType.set(type, (byType.get(type) ?? 0) + 1)
  if (byType.size === 0) return
  const kinds = [...byType].map(([type, count]) => (count === 1 ? type : `${count} × ${type}`))
  console.log(`  skipped, because they are not tables: ${kinds.join(', ')}`)
}

/** If somebody is at the terminal, they decide. */
async function askWhetherToReplace({ table, reason }: TablePlan): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const question = `  ${table.name} must be replaced, because ${reason}. All its items will be lost. Replace it? [y/N] `
  const answer = await terminal.question(question)
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}
