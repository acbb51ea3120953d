import { coverageText, coverModel } from '@hashrange/model/coverage'
import { loadModel } from './load-model.ts'
import { readAuditLogs } from './read-audit-logs.ts'
import { Mistake } from '../mistake.ts'
import { readWords } from './read-flags.ts'

const help = `hashrange coverage: compares the calls that a server has recorded with the patterns of a model

  hashrange coverage shop.model.ts --audit-log audit.log
  hashrange coverage shop.model.ts --audit-log cloudtrail.json.gz --table main=prod-shop --strict

  --audit-log FILE    a log with data events, of hashrange start --audit-log FILE --audit-data-events, or of CloudTrail; repeat
                      it for several
  --table ID=NAME     what a table of the model is called where the log was written, if it has another name there
  --strict            fail (exit code 1) if a call belongs to no pattern, or a pattern was never called
  --json              print JSON

It shows which patterns were called and how often, beside the rates that the model declares; which were never called; and which
calls belong to no pattern. A log does not hold the values of queries: patterns that read the same index in the same way
cannot be told apart, and are shown as such.`

const flags = {
  'audit-log': { type: 'string', multiple: true },
  table: { type: 'string', multiple: true },
  strict: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

export async function coverage(words: readonly string[]): Promise<number> {
  const { values, positionals } = readWords('coverage', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0)
    throw new Mistake('Name one model file. See: hashrange coverage --help')
  const logs = values['audit-log'] ?? []
  if (logs.length === 0) throw new Mistake('--audit-log is missing. See: hashrange coverage --help')
  const { description } = await loadModel(file)
  const tables = namesOf(
    values.table ?? [],
    description.tables.map(({ id }) => id),
  )
  const covered = coverModel(description, await readAuditLogs(logs), tables)
  console.log(values.json === true ? JSON.stringify(covered, null, 2) : coverageText(covered))
  const isWhole =
    covered.uncovered.length === 0 && covered.patterns.every(({ calls, sharedCalls }) => calls + sharedCalls > 0)
  return values.strict === true && !isWhole ? 1 : 0
}

function namesOf(words: readonly string[], ids: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const [, id, name] = /^([^=]+)=(.+)$/.exec(word) ?? []
      if (id === undefined || name === undefined || !ids.includes(id)) {
        throw new Mistake(`--table must be ID=NAME with a table of the model (${ids.join(', ')}), not "${word}".`)
      }
      return [id, name]
    }),
  )
}
