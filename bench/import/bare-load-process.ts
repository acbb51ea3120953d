import { open } from 'lmdb'
import { takeOrders } from '../measure/order-taker.ts'
import { lineInput } from '../workload/operations.ts'
import { requestTemplate } from '../workload/request-template.ts'
import { TemplateWriter } from '../workload/template-writer.ts'
import type { BareLoadOrder } from './bare-load-order.ts'

// The limit of a bulk load: the bytes that an import stores, in the order of their keys, put into LMDB by themselves.

const itemsPerTransaction = 2_000
/** Space, table, hash of the partition key and an encoded sort key, as docs/storage-format.md has them. */
const keyBytes = 5 + 16 + 18
/** The format, and the item's size. */
const valueHead = '\u0001\u0000\u0000\u0001\u002C'

takeOrders(async ({ path, itemCount }: BareLoadOrder): Promise<{ readonly seconds: number }> => {
  const writer = new TemplateWriter(requestTemplate('', lineInput().Item, itemCount), valueHead)
  const key = Buffer.alloc(keyBytes)
  const database = open<Buffer, Buffer>({
    path,
    noSubdir: true,
    keyEncoding: 'binary',
    encoding: 'binary',
    overlappingSync: false,
  })
  const startedAtMs = performance.now()
  for (let start = 0; start < itemCount; start += itemsPerTransaction) {
    database.transactionSync(() => {
      for (let item = start; item < Math.min(start + itemsPerTransaction, itemCount); item++) {
        key.writeUInt32BE(item, 5)
        writer.fill(item, item)
        database.putSync(key, writer.bytes)
      }
    })
  }
  const seconds = (performance.now() - startedAtMs) / 1_000
  if (database.getCount() !== itemCount) throw new Error('Bare LMDB has lost items.')
  await database.close()
  return { seconds }
})
