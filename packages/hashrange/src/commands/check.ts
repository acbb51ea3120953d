import { writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { AnyModel } from '@hashrange/model'
import {
  checkModel,
  isAcceptable,
  jsonReport,
  markdownReport,
  sarifReport,
  textReport,
  type CheckReport,
} from '@hashrange/model/check'
import { loadModels } from '../load-model.ts'
import { openTrial } from './open-trial.ts'
import { Mistake } from './mistake.ts'
import { readWords, wholeNumber } from './read-flags.ts'

const help = `hashrange check: runs every access pattern of a model on generated data, and reviews the design

  hashrange check shop.model.ts
  hashrange check models/*.model.ts --strict --sarif findings.sarif

  --strict        warnings fail as errors do
  --json          the report for programs
  --markdown      the report for a pull request
  --sarif FILE    also write the findings in SARIF, for code hosts
  --seed 1        another number gives other data
  --items 4000    about how many items to generate for a model, at most 20,000

The data is generated from what the model declares (.volume(), .size(), .count(), .distinct(), traffic), in a database in
memory. Exit code: 0 if there is nothing to correct, 1 if there are errors (with --strict: or warnings), 2 for a mistake.`

const flags = {
  strict: { type: 'boolean' },
  json: { type: 'boolean' },
  markdown: { type: 'boolean' },
  sarif: { type: 'string' },
  seed: { type: 'string' },
  items: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

const mostItems = 20_000

export async function check(words: readonly string[]): Promise<number> {
  const { values, positionals } = readWords('check', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  if (positionals.length === 0) throw new Mistake('Name a model file. See: hashrange check --help')
  if (values.json === true && values.markdown === true)
    throw new Mistake('--json and --markdown are two forms: choose one.')
  const seed = wholeNumber('--seed', values.seed)
  const maxItems = wholeNumber('--items', values.items)
  if (maxItems !== undefined && maxItems > mostItems) throw new Mistake(`--items is at most ${mostItems}.`)
  const models: AnyModel[] = []
  for (const file of positionals) models.push(...(await loadModels(file)))
  const reports: CheckReport[] = []
  for (const model of models) reports.push(await checkModel(model, { open: openTrial, seed, maxItems }))
  if (values.sarif !== undefined)
    await writeFile(values.sarif, `${JSON.stringify(sarifReport(reports, showPath), null, 2)}\n`)
  console.log(reportText(reports, values))
  return reports.every((report) => isAcceptable(report, values.strict === true)) ? 0 : 1
}

function reportText(
  reports: readonly CheckReport[],
  { json, markdown }: { readonly json?: boolean | undefined; readonly markdown?: boolean | undefined },
): string {
  if (json === true) return JSON.stringify({ models: reports.map(jsonReport) }, null, 2)
  if (markdown === true) return reports.map((report) => markdownReport(report, showPath)).join('\n')
  return reports.map((report) => textReport(report, { showPath, hasColours: hasColours() })).join('\n\n')
}

function showPath(file: string): string {
  const shorter = relative(process.cwd(), file)
  return shorter.startsWith('..') ? file : shorter
}

/** On a terminal, unless its user prefers none (no-color.org). */
function hasColours(): boolean {
  return process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === ''
}
