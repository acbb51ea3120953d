import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import type { StreamHandler } from '@hashrange/model/changes'
import { derivedHandler } from '@hashrange/model/derived'
import { derived } from './shop.model.ts'

const note = (file: string, text: string): void => appendFileSync(join(process.env['FOLDER'] ?? '', file), text)

note('processes.txt', `${process.pid}\n`)

const derive: StreamHandler = derivedHandler(derived, new DynamoDB())

type Event = Parameters<StreamHandler>[0]

/** Keeps what is derived. At random it fails before or after that, or dies in the middle of it. */
export const handler = async (event: Event): Promise<unknown> => {
  const chance = Math.random()
  if (chance < 0.03) {
    note('failures.txt', 'before\n')
    throw new Error('at random')
  }
  if (chance < 0.04) {
    note('failures.txt', 'killed\n')
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), Math.random() * 30)
  }
  const answer = await derive(event)
  if (chance < 0.97) return answer
  note('failures.txt', 'after\n')
  throw new Error('at random')
}
