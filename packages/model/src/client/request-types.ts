import type {
  BatchGetItemCommandInput,
  BatchGetItemCommandOutput,
  BatchWriteItemCommandInput,
  BatchWriteItemCommandOutput,
  DeleteItemCommandInput,
  DeleteItemCommandOutput,
  GetItemCommandInput,
  GetItemCommandOutput,
  PutItemCommandInput,
  PutItemCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  ScanCommandInput,
  ScanCommandOutput,
  TransactGetItemsCommandInput,
  TransactGetItemsCommandOutput,
  TransactWriteItemsCommandInput,
  TransactWriteItemsCommandOutput,
  UpdateItemCommandInput,
  UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb'

/** A request exactly as it is sent. */
export type Request = {
  readonly [Op in Operation]: { readonly operation: Op; readonly input: Inputs[Op] }
}[Operation]

export interface Inputs {
  GetItem: GetItemCommandInput
  Query: QueryCommandInput
  Scan: ScanCommandInput
  BatchGetItem: BatchGetItemCommandInput
  TransactGetItems: TransactGetItemsCommandInput
  PutItem: PutItemCommandInput
  UpdateItem: UpdateItemCommandInput
  DeleteItem: DeleteItemCommandInput
  BatchWriteItem: BatchWriteItemCommandInput
  TransactWriteItems: TransactWriteItemsCommandInput
}

export interface Outputs {
  GetItem: GetItemCommandOutput
  Query: QueryCommandOutput
  Scan: ScanCommandOutput
  BatchGetItem: BatchGetItemCommandOutput
  TransactGetItems: TransactGetItemsCommandOutput
  PutItem: PutItemCommandOutput
  UpdateItem: UpdateItemCommandOutput
  DeleteItem: DeleteItemCommandOutput
  BatchWriteItem: BatchWriteItemCommandOutput
  TransactWriteItems: TransactWriteItemsCommandOutput
}

export type Operation = keyof Inputs

/** Sends a request and gives its answer: the AWS SDK, or whatever stands for it where requests are only shown. */
export type Transport = <Op extends Operation>(
  operation: Op,
  input: Inputs[Op],
  signal: AbortSignal | undefined,
) => Promise<Outputs[Op]>
