import { CreateTableCommand } from '@aws-sdk/client-dynamodb'
import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import { open } from 'hashrange'
import { onTestFinished } from 'vitest'
import { connect } from '../client/connect.ts'
import type { ConnectOptions } from '../client/connect.ts'
import type { Client } from '../client/client-types.ts'
import { createTableInputs } from '../export/create-table-inputs.ts'
import type { AnyModel } from '../model/model.ts'

/** A database with the model's tables, for one test. */
export async function openModel<M extends AnyModel>(
  model: M,
  options: ConnectOptions = {},
): Promise<{ readonly db: Client<M>; readonly client: DynamoDB }> {
  const database = await open()
  onTestFinished(() => database.close())
  for (const input of createTableInputs(model.description))
    await database.client.send(new CreateTableCommand(input))
  return { db: connect(model, database.client, options), client: database.client }
}
