import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accountIdOf } from '@hashrange/server'
import { fillTable } from '../load/fill-table.ts'
import type { Credentials } from '../load/sign-request.ts'
import { startHashrange } from '../servers/start-server.ts'
import { alternate } from './alternate.ts'
import { concurrency, type BenchContext } from './bench-context.ts'
import { templateOf, type MeasurementsByOperation } from './over-http.ts'

export const unverified = 'open'
export const verified = 'closed'
export const evaluated = 'closed, 50 statements'

/** The key with which tables are filled on an open server: its account is the same once the server is closed. */
const root: Credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'a secret of the benchmark' }
const reader: Credentials = { accessKeyId: 'AKIAREADER', secretAccessKey: 'another secret of the benchmark' }
const statements = 50

/** The same signed requests to an open server and to one that verifies them: as the administrator, and as a user whose policy has many statements, of which the last allows it. */
export async function measureAuth(context: BenchContext): Promise<MeasurementsByOperation> {
  const { options, progress, generator } = context
  const [openFolder, closedFolder] = [join(context.folder, 'open'), join(context.folder, 'closed')]
  for (const folder of [openFolder, closedFolder]) {
    const filling = await startHashrange(context, folder)
    await fillTable(context, filling.port, 'orders', options.smallItemCount)
    await filling.stop()
  }
  const identities = join(context.folder, 'identities.json')
  writeFileSync(identities, JSON.stringify(declaration()))
  process.env['HASHRANGE_ROOT_ACCESS_KEY_ID'] = root.accessKeyId
  process.env['HASHRANGE_ROOT_SECRET_ACCESS_KEY'] = root.secretAccessKey
  const open = await startHashrange(context, openFolder)
  const closed = await startHashrange(context, closedFolder, '--auth', '--identities', identities)
  const contestants = [
    { name: unverified, server: open, credentials: root },
    { name: verified, server: closed, credentials: root },
    { name: evaluated, server: closed, credentials: reader },
  ]
  const template = templateOf('GetItem', 'orders', options.smallItemCount)
  const measurements = await alternate(
    contestants.map(({ name, server: { port, pid }, credentials }) => ({
      name,
      pid,
      run: (seconds: number) => generator.run({ port, template, connections: concurrency, seconds, credentials }),
    })),
    { rounds: options.rounds * 2, secondsPerRound: options.secondsPerRound },
    (text) => progress.show(`GetItem and its verification: ${text}`),
  )
  for (const server of [open, closed]) await server.stop()
  return { GetItem: measurements }
}

function declaration(): object {
  const others = Array.from({ length: statements - 1 }, (_, index) => ({
    Effect: index % 5 === 0 ? 'Deny' : 'Allow',
    Action: ['dynamodb:GetItem', 'dynamodb:Query'],
    Resource: `arn:aws:dynamodb:*:*:table/other-${index}`,
    Condition: { StringLike: { 'aws:PrincipalTag/team': `team-${index}-*` } },
  }))
  const last = { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: 'arn:aws:dynamodb:*:*:table/orders' }
  return {
    account: accountIdOf(root.accessKeyId),
    users: {
      reader: {
        policies: { many: { Version: '2012-10-17', Statement: [...others, last] } },
        accessKeys: [{ id: reader.accessKeyId, secret: reader.secretAccessKey }],
      },
    },
  }
}
