import type { Scope } from '@hashrange/engine'
import type { RetentionInput } from '../api/kinesis-inputs.ts'
import type { Kinesis } from '../kinesis.ts'
import { namedStream } from '../streams/named-stream.ts'
import { invalidArgument } from '../streams/stream-errors.ts'

const leastHours = 24
const mostHours = 8_760

export async function increaseStreamRetentionPeriod(kinesis: Kinesis, scope: Scope, input: RetentionInput) {
  return setRetention(kinesis, scope, input, 'Increase')
}

export async function decreaseStreamRetentionPeriod(kinesis: Kinesis, scope: Scope, input: RetentionInput) {
  return setRetention(kinesis, scope, input, 'Decrease')
}

async function setRetention(
  { streamBook }: Kinesis,
  scope: Scope,
  input: RetentionInput,
  direction: 'Increase' | 'Decrease',
): Promise<undefined> {
  const name = namedStream(scope, input)
  const { RetentionPeriodHours: hours } = input
  await streamBook.change(scope, name, (stream) => {
    if (hours < leastHours) {
      throw invalidArgument(
        `Minimum allowed retention period is ${leastHours} hours. Requested retention period (${hours} hours) is too short.`,
      )
    }
    if (hours > mostHours) {
      throw invalidArgument(
        `Maximum allowed retention period is ${mostHours} hours. Requested retention period (${hours} hours) is too long.`,
      )
    }
    const isWrong = direction === 'Increase' ? hours < stream.retentionHours : hours > stream.retentionHours
    if (isWrong) {
      throw invalidArgument(
        `Requested retention period (${hours} hours) for stream ${name} can not be ${direction === 'Increase' ? 'shorter' : 'longer'} than existing retention period (${stream.retentionHours} hours). Use ${direction === 'Increase' ? 'Decrease' : 'Increase'}RetentionPeriod API.`,
      )
    }
    return { ...stream, retentionHours: hours }
  })
  return undefined
}
