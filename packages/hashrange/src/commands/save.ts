import { branchFlags, listText, readAction } from './branch.ts'
import { printBranchChanges } from './branch-changes-text.ts'
import { openBranchPort } from './branch-port.ts'
import { Mistake } from '../mistake.ts'
import { readWords } from './read-flags.ts'

export const saveHelp = `hashrange snapshot save NAME: keeps all tables as they are now, to go back to them

  hashrange snapshot save NAME         save everything as it is now; this takes milliseconds
  hashrange snapshot restore NAME      go back to a snapshot; hashrange reset goes back to the last one
  hashrange snapshot list              list the snapshots
  hashrange snapshot diff NAME         show what has changed since a snapshot
  hashrange snapshot delete NAME       delete a snapshot, and free its space

  --endpoint URL      the server; http://127.0.0.1:8000 unless HASHRANGE_ENDPOINT is set
  --ca FILE           the issuer of the server's certificate, if this machine does not know it (PEM)
  --path FOLDER       or a data folder that no server is using
  --json              print JSON; the changes of diff one per line

As long as a snapshot exists, the first change to an item keeps a copy of the old item. So the space that a snapshot needs,
and the time that a restore takes, depend on how much has changed since.`

const saveActions = ['save', 'restore', 'list', 'diff', 'delete'] as const

/** Whether the words are about named snapshots, rather than about copying everything to another place. */
export function isAboutSaves([first]: readonly string[]): boolean {
  return first !== undefined && !first.startsWith('-')
}

/** `hashrange snapshot` with an action. */
export async function save(words: readonly string[]): Promise<number> {
  const { values, positionals } = readWords('snapshot', words, branchFlags)
  if (values.help === true) {
    console.log(saveHelp)
    return 0
  }
  const { action, name } = readAction('snapshot', saveActions, positionals)
  const isJson = values.json === true
  const port = await openBranchPort(values)
  try {
    switch (action) {
      case 'save':
        tell(isJson, await port.create('snapshot', name), `Saved the snapshot ${name}.`)
        return 0
      case 'restore':
        tell(isJson, await port.restore(name), `Everything is as it was in the snapshot ${name}.`)
        return 0
      case 'list':
        console.log(listText('snapshot', await port.list('snapshot'), isJson))
        return 0
      case 'diff':
        await printBranchChanges(port.changes('snapshot', name), isJson)
        return 0
      case 'delete':
        await port.delete('snapshot', name)
        if (!isJson) console.log(`Deleted the snapshot ${name}.`)
        return 0
    }
  } finally {
    await port.close()
  }
}

const resetHelp = `hashrange reset [NAME]: sets all tables back to the last snapshot, or to the one with this name

  hashrange snapshot save seeded       save everything as it is now
  hashrange reset                      and go back to it, as often as you like

  --endpoint URL      the server; http://127.0.0.1:8000 unless HASHRANGE_ENDPOINT is set
  --ca FILE           the issuer of the server's certificate, if this machine does not know it (PEM)
  --path FOLDER       or a data folder that no server is using
  --json              print JSON

A server that was started with --seed saves a snapshot named seed when it has filled its tables.`

export async function reset(words: readonly string[]): Promise<number> {
  const { values, positionals } = readWords('reset', words, branchFlags)
  if (values.help === true) {
    console.log(resetHelp)
    return 0
  }
  const [name, ...others] = positionals
  if (others.length > 0)
    throw new Mistake(`hashrange reset does not take "${others[0]}". See: hashrange reset --help`)
  const port = await openBranchPort(values)
  try {
    const restored = await port.restore(name)
    tell(values.json === true, restored, `Everything is as it was in the snapshot ${restored.name}.`)
    return 0
  } finally {
    await port.close()
  }
}

function tell(isJson: boolean, answer: unknown, sentence: string): void {
  console.log(isJson ? JSON.stringify(answer) : sentence)
}
