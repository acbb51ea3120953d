import { conflictText, type ReportedConflict } from '../regions/conflict-text.ts'
import { conflictsPath } from '../regions/regions-route.ts'
import { askServer } from './ask-server.ts'
import { readFlags } from './read-flags.ts'
import { readEndpoint } from './read-report.ts'
import { serverFlags } from './trust-issuer.ts'

const help = `hashrange conflicts: lists writes to global tables that were lost to writes in other regions

  hashrange conflicts
  hashrange conflicts --table Music --json

  --endpoint URL      the server; http://127.0.0.1:8000 unless HASHRANGE_ENDPOINT is set
  --ca FILE           the issuer of the server's certificate, if this machine does not know it (PEM)
  --table NAME        only this table
  --json              print JSON

Two writes of an item conflict if neither region had seen the other's write. The later one wins, in all regions. Each replica
keeps the last 1,000 conflicts that it has seen. AWS resolves conflicts in the same way, but does not report them.`

const flags = {
  endpoint: { type: 'string' },
  table: { type: 'string' },
  json: { type: 'boolean' },
  ...serverFlags,
  help: { type: 'boolean', short: 'h' },
} as const

export async function conflicts(words: readonly string[]): Promise<number> {
  const values = readFlags('conflicts', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const endpoint = readEndpoint(values.endpoint)
  const url = new URL(`${endpoint}${conflictsPath}`)
  if (values.table !== undefined) url.searchParams.set('table', values.table)
  const found = await askServer<readonly ReportedConflict[]>(endpoint, { url, method: 'GET', what: 'conflicts' })
  if (values.json === true) console.log(JSON.stringify(found))
  else console.log(found.length === 0 ? 'There are no conflicts.' : found.map(conflictText).join('\n'))
  return 0
}
