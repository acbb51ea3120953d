import type { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { commands } from './sdk-commands.ts'
import type { Inputs, Operation, Outputs, Transport } from './request-types.ts'

/** Sends requests with a client of the AWS SDK: the only place that knows its commands. */
export function sdkTransport(client: Pick<DynamoDBClient, 'send'>): Transport {
  return async <Op extends Operation>(
    operation: Op,
    input: Inputs[Op],
    signal: AbortSignal | undefined,
  ): Promise<Outputs[Op]> => {
    // The compiler cannot see that the command and its input belong together.
    const Command = commands[operation] as unknown as new (input: Inputs[Op]) => GetItemCommand
    const options = signal === undefined ? undefined : { abortSignal: signal }
    return (await client.send(new Command(input), options)) as unknown as Outputs[Op]
  }
}
