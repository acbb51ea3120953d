import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

interface Change {
  readonly dynamodb: { readonly Keys: { readonly pk: { readonly S: string } } } & {
    readonly NewImage: { readonly round: { readonly N: string } }
  }
}

const note = (file: string, text: string): void => appendFileSync(join(process.env['FOLDER'] ?? '', file), text)

note('processes.txt', `${process.pid}\n`)

/** Writes down what it gets, in one piece. At random it fails before or after that, or dies. */
export const handler = async ({ Records }: { readonly Records: readonly Change[] }): Promise<void> => {
  const chance = Math.random()
  if (chance < 0.02) {
    note('failures.txt', 'before\n')
    throw new Error('at random')
  }
  if (chance < 0.023) {
    note('failures.txt', 'killed\n')
    process.kill(process.pid, 'SIGKILL')
  }
  let text = ''
  for (const { dynamodb } of Records) text += `${dynamodb.Keys.pk.S} ${dynamodb.NewImage.round.N}\n`
  note('written.txt', text)
  if (chance < 0.99) return
  note('failures.txt', 'after\n')
  throw new Error('at random')
}
