import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { clientFunctions, type PlannedModel } from '../../client/client-functions.ts'
import { PatternArguments, type Subject } from '../../client/pattern-arguments.ts'
import type { Transport } from '../../client/request-types.ts'
import { sdkTransport } from '../../client/sdk-transport.ts'
import type { PatternDescription } from '../../description.ts'
import type { Random } from '../random.ts'
import { sentFrom, type Sent } from './send.ts'

type Call = (...words: readonly unknown[]) => Promise<unknown>

/** The client that applications use, with every request on record: what is measured is what will run. */
export class RecordingClient {
  readonly #functions: Readonly<Record<string, object>>
  readonly #words: PatternArguments
  #recorded: Sent[] = []

  constructor(model: PlannedModel, client: DynamoDBClient, random: Random) {
    this.#words = new PatternArguments(model)
    const options = { capacity: 'INDEXES', now: () => new Date(0), random: () => random.next() } as const
    this.#functions = clientFunctions(model, this.#recording(sdkTransport(client)), options)
  }

  async call(pattern: PatternDescription, subject: Subject): Promise<readonly Sent[]> {
    this.#recorded = []
    const call = this.#functions[pattern.name] as Call | undefined
    await call?.(...this.#words.of(pattern, subject))
    return this.#recorded
  }

  #recording(transport: Transport): Transport {
    return async (operation, input, signal) => {
      const startedAt = performance.now()
      const answer = await transport(operation, input, signal)
      this.#recorded.push(sentFrom(operation, answer, performance.now() - startedAt))
      return answer
    }
  }
}
