import { writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { AnyModel } from '@hashrange/model'
import {
  checkDerived,
  checkModel,
  derivedText,
  isAcceptable,
  jsonReport,
  markdownReport,
  sarifReport,
  textReport,
  type CheckReport,
  type DerivedReport,
} from '@hashrange/model/check'
import { checkRoles, type RoleReport } from '@hashrange/model/roles'
import { loadDerived, loadModels } from './load-model.ts'
import { openClosedTrial } from './open-closed-trial.ts'
import { openTrial } from './open-trial.ts'
import { Mistake } from '../mistake.ts'
import { readWords, wholeNumber } from './read-flags.ts'

const help = `hashrange check: runs every access pattern of a model on generated data, and reviews the design

  hashrange check shop.model.ts
  hashrange check models/*.model.ts --strict --sarif findings.sarif

  --strict        treat warnings as errors
  --json          print the report as JSON
  --markdown      print the report as Markdown, for a pull request
  --sarif FILE    also write the findings as SARIF, for code hosts
  --seed 1        seed of the generated data; another number gives other data
  --items 4000    roughly how many items to generate per model, at most 20,000

The data is generated from what the model declares (.volume(), .size(), .count(), .distinct(), traffic), in an in-memory
database. If the model declares roles, every pattern of every role is also run under its policy, on a database that
verifies requests: what the role may do must succeed, and other roles' patterns, other tenants' items and scans must be
denied. Derived items (derive()) are computed from the generated data, measured and verified.

The exit code is 0 if there is nothing to fix, 1 if there are errors (or warnings, with --strict), and 2 if the command
was used wrongly.`

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

/** The most serious first, as in the review. */
function withRoles(findings: CheckReport['findings'], roles: readonly RoleReport[]): CheckReport['findings'] {
  return bySeverity([...findings, ...roles.flatMap((role) => role.findings)])
}

function bySeverity(findings: CheckReport['findings']): CheckReport['findings'] {
  const ranks = { error: 0, warning: 1, note: 2 }
  return findings.toSorted((one, other) => ranks[one.severity] - ranks[other.severity])
}

function roleText({ role, tenant, allowed, denied }: RoleReport): string {
  const of = tenant === undefined ? '' : ` of one ${tenant}`
  return `role ${role}${of}: ${allowed} patterns allowed, ${denied} calls denied as they must be`
}

function rolesAsJson(roles: readonly RoleReport[]): object {
  return roles.length === 0
    ? {}
    : { roles: roles.map(({ role, tenant, allowed, denied }) => ({ role, tenant, allowed, denied })) }
}

export async function check(words: readonly string[]): Promise<number> {
  const { values, positionals } = readWords('check', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  if (positionals.length === 0) throw new Mistake('Name at least one model file. See: hashrange check --help')
  if (values.json === true && values.markdown === true)
    throw new Mistake('--json and --markdown cannot be used together. Use only one of them.')
  const seed = wholeNumber('--seed', values.seed)
  const maxItems = wholeNumber('--items', values.items)
  if (maxItems !== undefined && maxItems > mostItems) throw new Mistake(`--items must be at most ${mostItems}.`)
  const models: AnyModel[] = []
  for (const file of positionals) models.push(...(await loadModels(file)))
  const reports: CheckReport[] = []
  const roles: RoleReport[][] = []
  for (const model of models) {
    const report = await checkModel(model, { open: openTrial, seed, maxItems })
    const proven = await checkRoles(model, { open: openClosedTrial, seed })
    roles.push([...proven])
    reports.push({ ...report, findings: withRoles(report.findings, proven) })
  }
  const derived: DerivedReport[] = []
  for (const file of positionals) {
    for (const each of await loadDerived(file))
      derived.push(await checkDerived(each, { open: openTrial, seed, maxItems }))
  }
  for (const [i, report] of reports.entries()) {
    const more = derived.filter(({ model }) => model === report.model.name).flatMap(({ findings }) => findings)
    if (more.length > 0) reports[i] = { ...report, findings: bySeverity([...report.findings, ...more]) }
  }
  if (values.sarif !== undefined)
    await writeFile(values.sarif, `${JSON.stringify(sarifReport(reports, showPath), null, 2)}\n`)
  console.log(reportText(reports, roles, derived, values))
  return reports.every((report) => isAcceptable(report, values.strict === true)) ? 0 : 1
}

function reportText(
  reports: readonly CheckReport[],
  roles: readonly (readonly RoleReport[])[],
  derived: readonly DerivedReport[],
  { json, markdown }: { readonly json?: boolean | undefined; readonly markdown?: boolean | undefined },
): string {
  if (json === true) {
    const told = reports.map((report, index) => ({ ...jsonReport(report), ...rolesAsJson(roles[index] ?? []) }))
    const costs = derived.map(({ model, sources }) => ({ model, sources }))
    return JSON.stringify({ models: told, ...(costs.length > 0 && { derived: costs }) }, null, 2)
  }
  if (markdown === true) return reports.map((report) => markdownReport(report, showPath)).join('\n')
  const texts = reports.map((report, index) =>
    [textReport(report, { showPath, hasColours: hasColours() }), ...(roles[index] ?? []).map(roleText)].join('\n'),
  )
  return [...texts, ...derived.map(derivedText)].join('\n\n')
}

function showPath(file: string): string {
  const shorter = relative(process.cwd(), file)
  return shorter.startsWith('..') ? file : shorter
}

/** On a terminal, unless its user prefers none (no-color.org). */
function hasColours(): boolean {
  return process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === ''
}
