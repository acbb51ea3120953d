import { connect, type Client } from '@hashrange/model'
import { setUpRequests } from '@hashrange/model/export'
import type { Randomness } from '../support/randomness.ts'
import type { KilledServer } from './killed-server.ts'
import { shop } from './shop.model.ts'

const names = ['blue cup', 'green cup', 'red pen', 'blue box', 'old red box']

export async function createShop(server: KilledServer): Promise<void> {
  for (const { operation, input } of setUpRequests(shop.description)) await server.call(operation, input)
}

/** Does random things to products and their lines. Each of them can be done again: after a kill, nobody knows whether it
 *  was done. */
export async function shopTraffic(server: KilledServer, random: Randomness, changes: number): Promise<void> {
  const client = { send: (command: Command) => server.call(operationOf(command), command.input, 'shop') }
  const db = connect(shop, client as unknown as Parameters<typeof connect>[1])
  for (let change = 0; change < changes; change++) await changeOne(db, random)
}

/** A line has one of three prices, so that a product has some thirty lines, however long it takes: every change of its
 *  name is copied to all of them. */
async function changeOne(db: Client<typeof shop>, random: Randomness): Promise<void> {
  const productId = `p${random.between(1, 12)}`
  const lineNumber = random.between(1, 15)
  const line = { productId, lineId: `l${lineNumber}`, price: lineNumber * random.between(4, 6) }
  if (random.chance(0.05)) await db.Product.put({ productId, name: random.oneOf(names) })
  else if (random.chance(0.3)) await db.Line.delete(line)
  else await db.Line.put({ ...line, paid: random.chance(0.5) })
}

interface Command {
  readonly input: object
}

function operationOf(command: Command): string {
  return command.constructor.name.replace(/Command$/, '')
}
