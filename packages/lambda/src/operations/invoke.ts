import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { InvokeInput } from '../api/inputs.ts'
import type { InvokeAnswer } from '../functions/invoke-answer.ts'
import type { Lambda } from '../lambda.ts'

const mostPayloadBytes = 6 * 1024 * 1024
const mostEventBytes = 1024 * 1024
const none = Buffer.alloc(0)

export async function invoke(lambda: Lambda, scope: Scope, input: InvokeInput): Promise<InvokeAnswer> {
  const called = await lambda.functions.require(scope, input.FunctionName)
  const payload = readPayload(input)
  switch (input.InvocationType) {
    case 'DryRun':
      return { status: 204, payload: none }
    case 'Event':
      if (payload.length > mostEventBytes) throw tooLarge(payload.length, mostEventBytes)
      lambda.events.add(called, payload)
      return { status: 202, payload: none }
    case 'RequestResponse':
    case undefined:
    default: {
      const invoked = await lambda.call(called, { payload, clientContext: input.ClientContext })
      return {
        status: 200,
        payload: invoked.payload,
        functionError: invoked.functionError,
        logTail: input.LogType === 'Tail' ? invoked.log : undefined,
      }
    }
  }
}

function readPayload({ Payload = '' }: InvokeInput): Buffer {
  const payload = Buffer.from(Payload, 'base64')
  if (payload.length === 0) return Buffer.from('{}')
  if (payload.length > mostPayloadBytes) throw tooLarge(payload.length, mostPayloadBytes)
  try {
    JSON.parse(payload.toString('utf8'))
  } catch (error) {
    throw new ServiceError(
      'InvalidRequestContentException',
      `Could not parse request body into json: ${error instanceof Error ? error.message : 'it is not valid JSON'}`,
    )
  }
  return payload
}

function tooLarge(bytes: number, most: number): ServiceError {
  return new ServiceError(
    'RequestTooLargeException',
    `Request must be smaller than ${most} bytes for the InvokeFunction operation; it has ${bytes} bytes.`,
  )
}
