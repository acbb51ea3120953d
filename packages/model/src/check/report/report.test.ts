import { open } from 'hashrange'
import { beforeAll, describe, expect, test } from 'vitest'
import { entity, model, s } from '../../index.ts'
import { checkModel, type CheckReport } from '../check-model.ts'
import { findingTitles } from '../finding.ts'
import { jsonReport } from './json-report.ts'
import { markdownReport } from './markdown-report.ts'
import { sarifReport } from './sarif-report.ts'
import { textReport } from './text-report.ts'

const Note = entity('Note', { userId: s.ulid(), noteId: s.ulid(), text: s.string() })
  .key({ pk: 'USER#{userId}', sk: 'NOTE#{noteId}' })
  .volume({ perPartition: 20 })

const notes = model({
  name: 'notes',
  owner: 'team',
  entities: { Note },
  patterns: (p) => ({
    notes: p.query({ pk: 'USER#{userId}', sk: 'NOTE#*', order: 'desc', budget: { readUnits: 0.5 } }),
    write: p.create('Note'),
    all: p.scan(),
  }),
})

let report: CheckReport
beforeAll(async () => {
  const checked = await checkModel(notes, { open })
  // Places in a file that everyone can know.
  const findings = checked.findings.map((finding) => ({
    ...finding,
    where: { ...finding.where, location: { file: '/home/notes model.ts', line: 7, column: 3 } },
  }))
  report = { ...checked, findings }
})

const showPath = (file: string): string => file.replace('/home/', '')

describe('the report', () => {
  test('for people has a row for each pattern and a paragraph for each finding', () => {
    const text = textReport(report, { showPath, hasColours: false })
    expect(text).toMatch(/^notes +Query +20, .* KB +20 +0 % +0\.5 RCU +0\.5 RCU ✓ +noteId, descending +Note$/m)
    expect(text).toMatch(/^write +PutItem +1 WCU$/m)
    expect(text).toContain('warning pattern notes unbounded-collection notes model.ts:7:3')
    expect(text).toMatch(/\n {2}→ Give the pattern a limit/)
    expect(text).toMatch(
      /\nnotes: 2 warnings\nNot judged:\n {2}3 patterns without traffic \(notes, write, all\): whether a partition gets too busy, and the cost\.$/,
    )
    expect(text).not.toContain('\u001b')
    expect(textReport(report, { showPath, hasColours: true })).toContain('\u001b[33mwarning\u001b[0m')
  })

  test('for a pull request is a list and a folded table', () => {
    const text = markdownReport(report, showPath)
    expect(text).toMatch(/^### `notes`: 2 warnings$/m)
    expect(text).toContain('- ⚠️ **pattern `all`** (scan, `notes model.ts:7:3`)')
    expect(text).toContain('<details>')
    expect(text).toMatch(/^\| write \| PutItem \|/m)
  })

  test('for programs has all figures', () => {
    const json = JSON.parse(JSON.stringify(jsonReport(report))) as unknown
    expect(json).toMatchObject({
      formatVersion: 1,
      model: 'notes',
      seed: 1,
      patterns: [
        {
          pattern: 'notes',
          operations: ['Query'],
          isOneKeyedRequest: true,
          itemsRead: 20,
          readUnits: 0.5,
          budget: { readUnits: 0.5 },
        },
        { pattern: 'write', writeUnits: 1, places: [{ place: 'notes', writeUnits: 1 }] },
        { pattern: 'all', isOneKeyedRequest: false },
      ],
      findings: [{ severity: 'warning' }, { severity: 'warning' }],
    })
  })

  test('for code hosts is SARIF, with rules that the results refer to', () => {
    const codes = Object.keys(findingTitles)
    expect(sarifReport([report], showPath)).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { rules: codes.map((id) => ({ id })) } },
          results: [
            {
              ruleId: 'scan',
              ruleIndex: codes.indexOf('scan'),
              level: 'warning',
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'notes%20model.ts' },
                    region: { startLine: 7, startColumn: 3 },
                  },
                },
              ],
            },
            { ruleId: 'unbounded-collection' },
          ],
        },
      ],
    })
  })
})
