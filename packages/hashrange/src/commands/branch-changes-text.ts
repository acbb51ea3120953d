import type { BranchChange } from '@hashrange/engine'

/** Prints each change as it comes: as a line of JSON, or as its key, with what was there before and what is there after. */
export async function printBranchChanges(changes: AsyncIterable<BranchChange>, isJson: boolean): Promise<void> {
  let count = 0
  for await (const change of changes) {
    count++
    console.log(isJson ? JSON.stringify(change) : changeText(change))
  }
  if (isJson) return
  console.log(count === 0 ? 'Nothing has changed.' : `${count} ${count === 1 ? 'change' : 'changes'}.`)
}

function changeText({ table, change, key, before, after }: BranchChange): string {
  if (key === undefined) return `${sign[change]} table ${table} ${change}`
  const lines = [`${sign[change]} ${table} ${JSON.stringify(key)} ${change}`]
  if (before !== undefined) lines.push(`    before ${JSON.stringify(before)}`)
  if (after !== undefined) lines.push(`    after  ${JSON.stringify(after)}`)
  return lines.join('\n')
}

const sign: Readonly<Record<BranchChange['change'], string>> = { created: '+', changed: '~', deleted: '-' }
