import type { Client } from '../../client/client-types.ts'
import type { Random } from '../../check/random.ts'
import type { shop } from './shop.ts'

type Db = Client<typeof shop>

const statuses = ['OPEN', 'PAID', 'SHIPPED'] as const
const words = ['red', 'blue', 'pen', 'cup', 'box']

/** Does random things to orders, lines and products; those that cannot be done are passed over. */
export async function traffic(db: Db, random: Random, writes: number): Promise<void> {
  for (let i = 0; i < writes; i++) {
    await oneThing(db, random).catch((error: unknown) => {
      const code = (error as { code?: string }).code ?? ''
      if (!['ALREADY_EXISTS', 'NOT_FOUND', 'NOT_UNIQUE', 'CONFLICT', 'CONDITION_FAILED'].includes(code)) throw error
    })
  }
}

function oneThing(db: Db, random: Random): Promise<unknown> {
  const orderId = `o${random.below(12)}`
  const status = statuses[random.below(3)] ?? 'OPEN'
  const total = random.below(1000) / 10
  const customerId = `c${random.below(4)}`
  const productId = `p${random.below(3)}`
  const line = { orderId: `o${random.below(3)}`, lineId: `l${random.below(4)}`, points: random.below(5) }
  switch (random.below(9)) {
    case 0:
      return db.Order.create({ orderId, customerId, status, total })
    case 1:
      return db.Order.update({ orderId }, { status, total })
    case 2:
      return db.Order.modify({ orderId }, (order) => ({ ...order, customerId }))
    case 3:
      return db.Order.delete({ orderId })
    case 4:
      return db.transact((t) => [
        t.Order.put({ orderId: 'o90', customerId, status, total }),
        t.Order.put({ orderId: 'o91', customerId: 'c0', status, total: 0.1 }),
        t.Line.put({ ...line, productId }),
      ])
    case 5:
      return db.Product.put({ productId, name: `${words[random.below(5)] ?? ''} ${words[random.below(5)] ?? ''}` })
    case 6:
      return db.Line.put({ ...line, productId })
    case 7:
      return db.Line.delete(line)
    default:
      return random.next() < 0.3 ? db.Product.delete({ productId }) : db.Line.update(line, { productId })
  }
}
