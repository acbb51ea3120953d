import type { Consumer, MappingConsumer } from '../../answers/events.ts'
import type { BadgeTone } from '../../components/values/badge.tsx'
import { formatCount, formatMs, plural } from '../../values/format.ts'

/** How a consumer is doing, in a word, its colour and a line. */
export interface ConsumerState {
  readonly word: 'enabled' | 'disabled' | 'failing' | 'behind' | 'starting'
  readonly tone: BadgeTone
  readonly line: string
}

/** A consumer whose oldest record waits longer than this is behind. */
const behindMs = 5_000

export function stateOf(consumer: Consumer): ConsumerState {
  switch (consumer.kind) {
    case 'mapping':
      return mappingState(consumer)
    case 'pipe':
      if (!consumer.isEnabled) return { word: 'disabled', tone: 'neutral', line: 'stopped' }
      return consumer.problem === null
        ? { word: 'enabled', tone: 'success', line: 'running' }
        : { word: 'failing', tone: 'danger', line: consumer.problem }
    case 'kinesis':
      if (consumer.status === 'ACTIVE') return { word: 'enabled', tone: 'success', line: 'active' }
      if (consumer.status === 'ENABLE_FAILED')
        return { word: 'failing', tone: 'danger', line: consumer.problem ?? 'could not be enabled' }
      return { word: 'starting', tone: 'warning', line: consumer.status.toLowerCase() }
    case 'webhook':
      if (consumer.status === 'DISABLED')
        return { word: 'disabled', tone: 'neutral', line: consumer.problem ?? 'failed for too long' }
      return consumer.status === 'ACTIVE'
        ? { word: 'enabled', tone: 'success', line: plural(consumer.delivered, 'change') }
        : { word: 'failing', tone: 'danger', line: consumer.problem ?? 'deliveries fail' }
  }
}

function mappingState(consumer: MappingConsumer): ConsumerState {
  const line = waitingText(consumer)
  if (!consumer.isEnabled) return { word: 'disabled', tone: 'neutral', line }
  if (isFailing(consumer)) return { word: 'failing', tone: 'danger', line }
  return consumer.waiting.ageMs > behindMs
    ? { word: 'behind', tone: 'warning', line }
    : { word: 'enabled', tone: 'success', line }
}

/** Whether its last call failed, and its records wait for the next one. What was given up is past. */
function isFailing({ figures, lastResult, waiting }: MappingConsumer): boolean {
  if (waiting.records === 0) return false
  const [last] = figures?.batches ?? []
  return last === undefined ? lastResult.startsWith('PROBLEM') : last.failure !== null
}

/** `up to date`, or what waits and for how long. */
export function waitingText({ waiting: { records, isMore, ageMs } }: MappingConsumer): string {
  if (records === 0) return 'up to date'
  return `${formatCount(records)}${isMore ? '+' : ''} waiting, ${formatMs(ageMs)}`
}

/** How many records it has passed on so far, as far as that is known: it is busy while this grows. */
export function deliveredBy(consumer: Consumer): number {
  if (consumer.kind === 'mapping') return consumer.figures?.records ?? 0
  return consumer.kind === 'webhook' ? consumer.delivered : 0
}

export function nameOf(consumer: Consumer): string {
  switch (consumer.kind) {
    case 'mapping':
      return consumer.functionName
    case 'pipe':
      return consumer.name
    case 'kinesis':
      return lastPart(consumer.streamArn)
    case 'webhook':
      return consumer.origin
  }
}

export const kindNames: Readonly<Record<Consumer['kind'], string>> = {
  mapping: 'Trigger',
  pipe: 'Pipe',
  kinesis: 'Kinesis destination',
  webhook: 'Webhook',
}

/** The name at the end of an ARN. */
export function lastPart(arn: string): string {
  return arn.split(/[:/]/).at(-1) ?? arn
}
