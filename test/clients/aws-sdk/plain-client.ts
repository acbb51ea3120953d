import type {
  BatchGetCommandInput,
  BatchWriteCommandInput,
  DeleteCommandInput,
  GetCommandInput,
  PutCommandInput,
  QueryCommandInput,
  TransactGetCommandInput,
  TransactWriteCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb'
import type { PlainItem } from '../domains/plain-item.ts'

/** The operations on items as both clients of the SDK for JavaScript offer them: with plain values in and out. */
export interface PlainClient {
  get(input: GetCommandInput): Promise<PlainItem | undefined>
  put(input: PutCommandInput): Promise<PlainItem | undefined>
  update(input: UpdateCommandInput): Promise<PlainItem | undefined>
  delete(input: DeleteCommandInput): Promise<PlainItem | undefined>
  query(input: QueryCommandInput): Promise<Page>
  batchGet(input: BatchGetCommandInput): Promise<Record<string, PlainItem[]>>
  batchWrite(input: BatchWriteCommandInput): Promise<void>
  transactGet(input: TransactGetCommandInput): Promise<(PlainItem | undefined)[]>
  transactWrite(input: TransactWriteCommandInput): Promise<void>
}

export interface Page {
  readonly items: PlainItem[]
  readonly next: PlainItem | undefined
}
