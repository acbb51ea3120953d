import { ApiConnection, type ApiAnswer, type ApiConnectionOptions } from './api-connection.ts'

/** An answer other than success. */
export class Refused extends Error {
  readonly status: number
  readonly body: unknown

  constructor(operation: string, { status, body }: ApiAnswer) {
    const { __type: type, message } = body as { __type?: string; message?: string }
    const name = type?.split('#').at(-1) ?? 'Error'
    super(`${operation} was answered with ${status} ${name}: ${message}`)
    this.name = name
    this.status = status
    this.body = body
  }
}

/** Operations by name, over one connection. */
export class ApiClient {
  readonly #connection: ApiConnection

  constructor(options: ApiConnectionOptions) {
    this.#connection = new ApiConnection(options)
  }

  /** Throws Refused for any other answer than success, and NoAnswer without one. */
  async call<Answer>(operation: string, input: object): Promise<Answer> {
    const answer = await this.#connection.call(targetOf(operation), JSON.stringify(input))
    if (answer.status !== 200) throw new Refused(operation, answer)
    return answer.body as Answer
  }

  close(): void {
    this.#connection.close()
  }
}

const streamOperations = new Set(['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'])

export function targetOf(operation: string): string {
  return `${streamOperations.has(operation) ? 'DynamoDBStreams' : 'DynamoDB'}_20120810.${operation}`
}
