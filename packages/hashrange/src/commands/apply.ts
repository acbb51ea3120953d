import { createInterface } from 'node:readline/promises'
import { TemplateError, type Declared, type ResourcePort, type TablePlan } from '@hashrange/templates'
import { applyTables, tableWidth } from '../apply/apply-tables.ts'
import { afterTables, applyResources, beforeTables, labelWidth } from '../apply/apply-resources.ts'
import { accountAt, endpointServices } from '../apply/endpoint-services.ts'
import { readFiles } from '../apply/read-files.ts'
import { tablesAlone } from '../apply/tables-alone.ts'
import { counted } from './counted.ts'
import { Mistake } from '../mistake.ts'
import { openDatabase } from './open-database.ts'
import { databaseFlags, databasePlace, readWords } from './read-flags.ts'
import { tablesOfModel } from './tables-of-model.ts'
import { endpointOfServer } from './endpoint-of-server.ts'

const help = `hashrange apply: creates and updates the tables that your infrastructure files declare, and their other resources

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
  --endpoint PLACE    where to apply it: the address of a server, or aws;
                      http://127.0.0.1:8000 unless HASHRANGE_ENDPOINT is set
  --ca FILE           the issuer of the server's certificate, if this machine does not know it (PEM)
  --path FOLDER       or a data folder that no server is using
  --region REGION
  --account DIGITS    in a data folder: the account that owns the tables

The command applies keys, indexes, capacity, streams, time to live, point-in-time recovery, tags, table class, deletion
protection, Contributor Insights and resource policies. On a hashrange server, it also applies auto scaling, alarms, Kinesis
streams, and functions with their code and event sources. Global tables get their replicas. A second run changes nothing.
What the files do not declare is left alone. What the server does not support is listed as skipped.`

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
  const parameters = parametersOf(values.parameter ?? [])
  const place = databasePlace('apply', {
    path: values.path,
    endpoint: values.endpoint ?? (values.path === undefined ? endpointOfServer() : undefined),
  })
  const { stack, stage } = values
  const given = { region, accountId: values.account ?? anyAccount, stack, stage, parameters }
  const asGiven = await readFiles(files, given, tablesOfModel).catch((error: unknown) => {
    throw error instanceof TemplateError ? new Mistake(error.message, { cause: error }) : error
  })
  const database = await openDatabase(place, { region, account: values.account, mayBeNew: true })
  try {
    const owner = values.account ?? database.accountId ?? (await accountAt(place, region, database))
    const known = { ...given, accountId: owner ?? anyAccount }
    // Names of resources have the account in them, which is known once the database is open.
    const declared = known.accountId === given.accountId ? asGiven : await readFiles(files, known, tablesOfModel)
    console.log(`${files.join(', ')}: ${counted(declared.tables.length, 'table')}, in ${database.name}`)
    const services: ResourcePort | undefined =
      database.call === undefined
        ? database.credentials && endpointServices(place, region, database)
        : { call: database.call }
    const after = afterTables(declared, known)
    const width = Math.max(tableWidth(declared.tables), labelWidth([...beforeTables(declared), ...after]))
    const tell = (line: string): void => console.log(line)
    const choice = { ...known, isDiff: values.diff === true, width, tell }
    if (services !== undefined) await applyResources(services, beforeTables(declared), choice)
    const left = await applyTables(services ?? tablesAlone(database), declared, {
      isDiff: values.diff === true,
      width,
      mayReplace: values.replace === true ? () => true : askWhetherToReplace,
      tell,
    })
    if (services === undefined) printTables(declared)
    else await applyResources(services, after, choice)
    printSkipped(declared.skipped)
    for (const problem of declared.problems) console.error(`hashrange: ${problem}`)
    if (left.length > 0 && values.diff !== true)
      console.error('hashrange: to replace tables, with the loss of their items, run it again with --replace.')
    return declared.problems.length > 0 || (left.length > 0 && values.diff !== true) ? 1 : 0
  } finally {
    await database.close()
  }
}

/** Where nobody says whose the tables are. */
const anyAccount = '000000000000'

function parametersOf(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((text) => {
      const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
      if (name === '') throw new Mistake(`--parameter must be NAME=VALUE, not "${text}".`)
      return [name, value]
    }),
  )
}

/** On AWS, other services have other addresses, and the tool that wrote the file makes them. */
function printTables({ resources, functions }: Declared): void {
  const count = resources.length + functions.length
  if (count > 0)
    console.log(`  skipped, because only tables are applied to AWS: ${counted(count, 'other resource')}`)
}

/** By kind: a template may have hundreds of resources. */
function printSkipped(skipped: readonly { readonly name: string; readonly type: string }[]): void {
  const byType = new Map<string, number>()
  for (const { type } of skipped) byType.set(type, (byType.get(type) ?? 0) + 1)
  if (byType.size === 0) return
  const kinds = [...byType].map(([type, count]) => (count === 1 ? type : `${count} × ${type}`))
  console.log(`  skipped, because hashrange does not support them: ${kinds.join(', ')}`)
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
