import type { BranchDefinition } from '@hashrange/engine'
import { branchKeyPrefix } from '@hashrange/server'
import { printBranchChanges } from './branch-changes-text.ts'
import { openBranchPort } from './branch-port.ts'
import { Mistake } from '../mistake.ts'
import { readWords } from './read-flags.ts'
import { serverFlags } from './trust-issuer.ts'

const help = `hashrange branch: makes copies of all tables, to try something on real data and throw it away

  hashrange branch create try-this     make a branch of everything as it is now; this takes milliseconds
  hashrange branch list                list the branches
  hashrange branch diff try-this       show what the branch has changed, compared with the tables as they are now
  hashrange branch delete try-this     delete the branch, and free its space

  --endpoint URL      the server; http://127.0.0.1:8000 unless HASHRANGE_ENDPOINT is set
  --ca FILE           the issuer of the server's certificate, if this machine does not know it (PEM)
  --path FOLDER       or a data folder that no server is using
  --json              print JSON; the changes of diff one per line

To send a request to a branch, add the header x-hashrange-branch: try-this, or use the access key branch:try-this:KEY,
where KEY is the access key that you use otherwise. Writes to a branch do not change the tables, and writes to the tables
do not change the branch. Triggers and webhooks do not see writes to a branch.`

export const branchFlags = {
  endpoint: { type: 'string' },
  path: { type: 'string' },
  json: { type: 'boolean' },
  ...serverFlags,
  help: { type: 'boolean', short: 'h' },
} as const

const actions = ['create', 'list', 'diff', 'delete'] as const

export async function branch(words: readonly string[]): Promise<number> {
  const { values, positionals } = readWords('branch', words, branchFlags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const { action, name } = readAction('branch', actions, positionals)
  const isJson = values.json === true
  const port = await openBranchPort(values)
  try {
    switch (action) {
      case 'create':
        console.log(createdText(await port.create('branch', name), isJson))
        return 0
      case 'list':
        console.log(listText('branch', await port.list('branch'), isJson))
        return 0
      case 'delete':
        await port.delete('branch', name)
        if (!isJson) console.log(`Deleted the branch ${name}.`)
        return 0
      case 'diff':
        await printBranchChanges(port.changes('branch', name), isJson)
        return 0
    }
  } finally {
    await port.close()
  }
}

/** The action that the words name, and the name that it is about; `list` is the only one without a name. */
export function readAction<Action extends string>(
  command: string,
  known: readonly Action[],
  [first, name = '', ...others]: readonly string[],
): { readonly action: Action; readonly name: string } {
  const action = known.find((one) => one === first)
  if (action === undefined) {
    const given = first === undefined ? 'Say what to do' : `"${first}" is not an action`
    throw new Mistake(`${given}: ${known.join(', ')}. See: hashrange ${command} --help`)
  }
  if (action !== 'list' && name === '')
    throw new Mistake(`Give a name, such as: hashrange ${command} ${action} try-this`)
  const tooMany = action === 'list' && name !== '' ? name : others[0]
  if (tooMany !== undefined)
    throw new Mistake(`hashrange ${command} ${action} does not take "${tooMany}". See: hashrange ${command} --help`)
  return { action, name }
}

function createdText(made: BranchDefinition, isJson: boolean): string {
  if (isJson) return JSON.stringify(made)
  const key = process.env['AWS_ACCESS_KEY_ID'] ?? 'local'
  return [
    `Created the branch ${made.name}. To use it, send the header`,
    `  x-hashrange-branch: ${made.name}`,
    'or use the access key',
    `  export AWS_ACCESS_KEY_ID=${branchKeyPrefix}${made.name}:${key}`,
  ].join('\n')
}

export function listText(
  kind: BranchDefinition['kind'],
  found: readonly BranchDefinition[],
  isJson: boolean,
): string {
  if (isJson) return JSON.stringify(found)
  if (found.length === 0) return kind === 'branch' ? 'There are no branches.' : 'There are no snapshots.'
  const width = Math.max(...found.map(({ name }) => name.length))
  return found
    .map(({ name, createdAtMs }) => `${name.padEnd(width)}  ${new Date(createdAtMs).toISOString()}`)
    .join('\n')
}
