import type { CheckReport } from '../check-model.ts'
import { formatCount } from '../review/format-figures.ts'
import { countsText, placeText, type ShowPath } from './finding-text.ts'
import { patternColumns, patternRows } from './pattern-rows.ts'

const signs = { error: '❌', warning: '⚠️', note: 'ℹ️' } as const

/** The report as a comment for a pull request: problems first, the table folded away. */
export function markdownReport(report: CheckReport, showPath: ShowPath): string {
  const { model, measurement, findings, notJudged } = report
  const rows = patternRows(report)
  const columns = patternColumns.filter((column) => rows.some((row) => row[column] !== ''))
  const lines = [`### \`${model.name}\`: ${countsText(findings)}`, '']
  for (const { severity, code, where, reason, remedy } of findings) {
    const place = placeText(where, showPath)
    lines.push(
      `- ${signs[severity]} **${where.kind} \`${where.name}\`** (${code}${place === '' ? '' : `, \`${place}\``}): ${escapeText(reason)}`,
    )
    lines.push(`  **Remedy:** ${escapeText(remedy)}`)
  }
  if (findings.length > 0) lines.push('')
  if (notJudged.length > 0) {
    lines.push(`Not judged:`, '', ...notJudged.map(({ text }) => `- ${escapeText(text)}`), '')
  }
  lines.push(
    `<details><summary>${model.patterns.length} patterns on ${formatCount(measurement.items)} generated items (seed ${measurement.seed})</summary>`,
    '',
    `| ${columns.join(' | ')} |`,
    `|${columns.map(() => ' --- |').join('')}`,
    ...rows.map((row) => `| ${columns.map((column) => escapeText(row[column])).join(' | ')} |`),
    '',
    '</details>',
    '',
  )
  return lines.join('\n')
}

/** Key templates contain what Markdown would take for markup. */
function escapeText(text: string): string {
  return text.replace(/[|*_<>`]/g, '\\$&').replace(/\n/g, ' ')
}
