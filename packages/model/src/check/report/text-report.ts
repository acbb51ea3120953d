import type { CheckReport } from '../check-model.ts'
import type { Severity } from '../finding.ts'
import { formatCount } from '../review/format-figures.ts'
import { countsText, placeText, type ShowPath } from './finding-text.ts'
import { patternColumns, patternRows } from './pattern-rows.ts'
import { textTable } from './text-table.ts'

export interface TextOptions {
  readonly showPath: ShowPath
  readonly hasColours: boolean
}

const colours: Readonly<Record<Severity | 'dim' | 'bold', number>> = {
  error: 31,
  warning: 33,
  note: 36,
  dim: 2,
  bold: 1,
}

/** The report for people at a terminal. */
export function textReport(report: CheckReport, { showPath, hasColours }: TextOptions): string {
  const paint = (colour: keyof typeof colours, text: string): string =>
    hasColours ? `\u001b[${colours[colour]}m${text}\u001b[0m` : text
  const { model, measurement, findings, notJudged } = report
  const rows = patternRows(report).map((row) => patternColumns.map((column) => row[column]))
  const [head = '', ...body] = textTable(patternColumns, rows, new Set(['read', 'returned', 'wasted']))
  const lines = [
    paint(
      'bold',
      `${model.name}: ${model.patterns.length} patterns on ${formatCount(measurement.items)} generated items (seed ${measurement.seed})`,
    ),
    '',
    paint('dim', head),
    ...body,
    '',
  ]
  for (const { severity, code, where, reason, remedy } of findings) {
    const place = placeText(where, showPath)
    lines.push(
      `${paint(severity, severity)} ${paint('bold', `${where.kind} ${where.name}`)} ${paint('dim', `${code}${place === '' ? '' : ` ${place}`}`)}`,
    )
    lines.push(...wrap(reason, 100).map((line) => `  ${line}`))
    lines.push(...wrap(remedy, 98).map((line, i) => (i === 0 ? `  → ${line}` : `    ${line}`)), '')
  }
  lines.push(paint('bold', `${model.name}: ${countsText(findings)}`))
  if (notJudged.length > 0) lines.push('Not judged:')
  for (const { text } of notJudged) {
    lines.push(...wrap(text, 98).map((line, i) => (i === 0 ? `  ${line}` : `    ${line}`)))
  }
  return lines.join('\n')
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
