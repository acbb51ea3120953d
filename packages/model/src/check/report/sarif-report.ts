import type { CheckReport } from '../check-model.ts'
import { findingTitles } from '../finding.ts'
import type { ShowPath } from './finding-text.ts'

/** The findings of several models in SARIF 2.1.0, which code hosts show beside the lines. */
export function sarifReport(reports: readonly CheckReport[], showPath: ShowPath): object {
  const codes = Object.keys(findingTitles)
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'hashrange check',
            rules: Object.entries(findingTitles).map(([id, text]) => ({ id, shortDescription: { text } })),
          },
        },
        results: reports.flatMap(({ model, findings }) =>
          findings.map(({ code, severity, where, reason, remedy }) => ({
            ruleId: code,
            ruleIndex: codes.indexOf(code),
            level: severity,
            message: { text: `${model.name}, ${where.kind} ${where.name}: ${reason} ${remedy}` },
            locations:
              where.location === undefined
                ? []
                : [
                    {
                      physicalLocation: {
                        artifactLocation: { uri: encodeURI(showPath(where.location.file).replaceAll('\\', '/')) },
                        region: { startLine: where.location.line, startColumn: where.location.column },
                      },
                    },
                  ],
          })),
        ),
      },
    ],
  }
}
