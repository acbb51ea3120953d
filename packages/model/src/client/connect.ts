import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { ModelError } from '../errors.ts'
import type { AnyModel } from '../model/model.ts'
import { clientFunctions } from './client-functions.ts'
import type { ConnectOptions } from './client-functions.ts'
import type { Client } from './client-types.ts'
import { sdkTransport } from './sdk-transport.ts'

export type { ConnectOptions } from './client-functions.ts'

/** One function for each pattern, and one client for each entity, over a client of the AWS SDK: on AWS or on hashrange. */
export function connect<M extends AnyModel>(
  model: M,
  client: Pick<DynamoDBClient, 'send'>,
  options: ConnectOptions = {},
): Client<M> {
  const moving = model.resolved.entities.find(({ was }) => was !== undefined)
  if (moving !== undefined && options.migration === undefined) {
    throw new ModelError(
      'INVALID_MODEL',
      `${moving.name} names its predecessor (was), so connect must be told what to write. Pass migration: migrating({ writes: 'was' }) from @hashrange/model/migration, or remove was.`,
      { entity: moving.name },
    )
  }
  return clientFunctions(model, sdkTransport(client), options) as unknown as Client<M>
}
