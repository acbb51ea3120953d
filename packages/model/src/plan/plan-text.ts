import { dollars as dollarsText } from '../cost/cost-text.ts'
import type { Difference, DifferenceKind } from './difference.ts'
import type { StepCost } from './item-costs.ts'
import type { MigrationPlan, Step } from './plan-migration.ts'

/** For one, and for several. */
const titles: Readonly<Record<DifferenceKind, readonly [string, string]>> = {
  compatible: ['compatible', 'compatible'],
  backfill: ['needs a backfill', 'need a backfill'],
  rewrite: ['needs a rewrite', 'need a rewrite'],
  unsafe: ['unsafe while old and new code run side by side', 'unsafe while old and new code run side by side'],
}

/** The plan for people at a terminal. */
export function planText(plan: MigrationPlan): string {
  if (plan.differences.length === 0) return `${plan.to}: no difference in what is stored.`
  const differences = plan.differences.flatMap((each) => [
    `${each.kind.padEnd(10)}  ${each.what} ${each.change}`,
    `            ${each.reason}`,
  ])
  const steps = plan.steps.flatMap((step, i) => [
    `${String(i + 1).padStart(2)}. ${step.phase}: ${step.action}.`,
    `    for      ${step.because.join(', ')}`,
    `    check    ${step.check}`,
    `    way back ${step.wayBack}`,
    ...(step.cost === undefined ? [] : [`    cost     ${costText(step.cost, plan.unitsPerSecond)}`]),
  ])
  return [
    `${plan.to}: ${countsText(plan.differences)}`,
    '',
    ...differences,
    ...(steps.length === 0
      ? ['', 'Deploy the new code: nothing else is needed.']
      : ['', 'Steps, in this order:', '', ...steps]),
    ...(steps.length === 0 ? [] : ['', `In all: ${costText(plan.cost, plan.unitsPerSecond)}`]),
  ].join('\n')
}

/** The plan as Markdown, for a pull request. */
export function planMarkdown(plan: MigrationPlan): string {
  if (plan.differences.length === 0) return `## ${plan.to}\n\nNo difference in what is stored.\n`
  const differences = plan.differences.map(
    ({ what, kind, change, reason }) => `| ${cell(what)} | ${kind} | ${cell(change)} | ${cell(reason)} |`,
  )
  const lines = [
    `## ${plan.to}: ${countsText(plan.differences)}`,
    '',
    '| what | kind | change | why |',
    '| --- | --- | --- | --- |',
    ...differences,
    '',
  ]
  if (plan.steps.length === 0) return `${[...lines, 'Deploy the new code: nothing else is needed.'].join('\n')}\n`
  return `${[...lines, '### Steps', '', ...plan.steps.map((step, i) => stepMarkdown(step, i, plan)), '', `In all: ${costText(plan.cost, plan.unitsPerSecond)}`].join('\n')}\n`
}

function stepMarkdown(step: Step, index: number, { unitsPerSecond }: MigrationPlan): string {
  const cost = step.cost === undefined ? '' : `\n   - Cost: ${costText(step.cost, unitsPerSecond)}`
  return `${index + 1}. [ ] **${step.phase}**: ${step.action} (${step.because.join(', ')})\n   - Check: ${step.check}\n   - Way back: ${step.wayBack}${cost}`
}

function countsText(differences: readonly Difference[]): string {
  const kinds = [...new Set(differences.map(({ kind }) => kind))]
  return kinds
    .map((kind) => {
      const { length } = differences.filter((each) => each.kind === kind)
      return `${length} ${titles[kind][length === 1 ? 0 : 1]}`
    })
    .join(', ')
}

function costText({ items, readUnits, writeUnits, dollars, seconds }: StepCost, unitsPerSecond: number): string {
  if (items === undefined) return 'not known: declare .volume({ items }) for the entities'
  const price = dollars === undefined ? '' : `, ${dollarsText(dollars)} on demand`
  const count = (value: number): string => Math.round(value).toLocaleString('en-US')
  return `${count(readUnits)} read and ${count(writeUnits)} write units${price}, ${durationText(seconds)} at ${count(unitsPerSecond)} units a second`
}

function durationText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return `${Math.round(seconds / 360) / 10} h`
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`)
}
