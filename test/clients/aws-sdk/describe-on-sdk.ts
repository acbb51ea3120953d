import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { describeOnTargets } from '../../support/targets.ts'
import { documentClient } from './document-client.ts'
import { marshallingClient } from './marshalling-client.ts'
import type { PlainClient } from './plain-client.ts'

/** Runs a suite through the client that marshals by hand and through the document client, over HTTP and embedded. */
export function describeOnSdk(
  domain: string,
  suite: (clients: { readonly sdk: () => DynamoDBClient; readonly plain: () => PlainClient }) => void,
): void {
  const kinds = { 'client-dynamodb': marshallingClient, 'lib-dynamodb': documentClient }
  for (const [name, make] of Object.entries(kinds)) {
    describeOnTargets(`${domain} through ${name}`, (target) => {
      let sdk: DynamoDBClient | undefined
      let plain: PlainClient | undefined
      const client = (): DynamoDBClient => (sdk ??= target.client())
      suite({ sdk: client, plain: () => (plain ??= make(client())) })
    })
  }
}
