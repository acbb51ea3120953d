import { compilePolicy, explainAccess, newAdministratorKey, parsePolicy } from '@hashrange/access/closed'
import type { ClosedTrial, TrialPrincipal } from '@hashrange/model/roles'
import { consoleLogger, sharedAccountId } from '@hashrange/server'
import { closeDatabase } from '../auth/close-database.ts'
import { Database } from '../database.ts'
import { loadSdk } from '../load-sdk.ts'
import { openEngine } from '../open-engine.ts'

const scope = { accountId: sharedAccountId, region: 'us-east-1' }

/** A closed database in memory, for proving the roles of a model: each principal is a user with one policy, its tags
 *  and a key. */
export async function openClosedTrial(principals: readonly TrialPrincipal[]): Promise<ClosedTrial> {
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
  const keys = new Map(principals.map(({ name }) => [name, newAdministratorKey(scope.accountId)]))
  const policies = new Map(principals.map(({ name, policy }) => [name, JSON.stringify(here(policy))]))
  const users = Object.fromEntries(
    principals.map(({ name, tags }) => {
      const key = keys.get(name)
      const accessKeys = key === undefined ? [] : [{ id: key.accessKeyId, secret: key.secretAccessKey }]
      return [name, { tags, accessKeys, policies: { policy: policies.get(name) ?? '' } }]
    }),
  )
  const opened = await openEngine({ kind: 'memory' }, { worksInBackground: false })
  const closed = await closeDatabase(opened, { identities: { users } }, scope.accountId)
  const database = new Database(opened, scope, consoleLogger, closed)
  const { DynamoDB } = loadSdk()
  const clients = new Map(
    [...keys].map(([name, credentials]) => [
      name,
      new DynamoDB({ ...database.clientConfig, credentials, maxAttempts: 1 }),
    ]),
  )
  return {
    client: database.client,
    clientOf: (name) => {
      const client = clients.get(name)
      if (client === undefined) throw new Error(`nobody is called ${name}`)
      return client
    },
    allowedBy: (name, operation, input) => {
      const tags = principals.find((each) => each.name === name)?.tags ?? {}
      const decisions = explainAccess({
        facts: {
          principal: {
            kind: 'user',
            ...scope,
            arn: `arn:aws:iam::${scope.accountId}:user/${name}`,
            userId: name,
            userName: name,
            tags,
          },
          region: scope.region,
          isSecure: false,
          nowMs: opened.engine.clock.now(),
        },
        policies: { identity: [compilePolicy(parsePolicy(policies.get(name) ?? '', 'identity'))] },
        scope,
        target: 'DynamoDB_20120810',
        operation,
        body: input,
        tables: opened.tables,
      })
      if (decisions.some(({ decision }) => decision.outcome !== 'allowed')) return undefined
      const [statement] = decisions.flatMap(({ decision }) => decision.statements)
      if (statement === undefined) return undefined
      const { sid } = statement.statement
      return sid === undefined ? `Statement ${statement.index + 1}` : `The statement ${sid}`
    },
    close: async () => {
      for (const client of clients.values()) client.destroy()
      await database.close()
    },
  }
}

/** A policy that was written for an account and a region of AWS, or for a CloudFormation template, adapted to those of the trial. */
function here(policy: object): object {
  const text = JSON.stringify(policy)
    .replaceAll('${AWS::Partition}', 'aws')
    .replaceAll(/\$\{AWS::(?:Region|AccountId)\}/g, '*')
    .replaceAll(/(arn:aws:dynamodb:)[^:"]*(:)[^:"]*(:)/g, `$1${scope.region}$2${scope.accountId}$3`)
  const moved: object = JSON.parse(text)
  return moved
}
