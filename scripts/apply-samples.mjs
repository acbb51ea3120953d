/** Applies every template of other people that declares tables, and says which tables are not what their template says:
 *
 *      git clone https://github.com/aws-samples/serverless-patterns /tmp/samples
 *      npm run build && node scripts/apply-samples.mjs /tmp/samples …
 *
 *  Each template is applied twice: then the tables must be described as they are declared, and the second time nothing must
 *  change. Templates of CloudFormation and SAM are also deployed as stacks. */
import { deepEqual } from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const packageAt = (name) => new URL(`../packages/${name}/dist/index.js`, import.meta.url).href
const { cloudFormationService, cloudFormationTarget } = await import(packageAt('cloudformation'))
const { Engine, openLmdbStore, toPlain } = await import(packageAt('engine'))
const { kinesisService } = await import(packageAt('kinesis'))
const { lambdaService } = await import(packageAt('lambda'))
const { monitoringService } = await import(packageAt('monitoring'))
const { carryOut, isObject, parseText, planTable, readDeclared } = await import(packageAt('templates'))

const { positionals: folders } = parseArgs({ allowPositionals: true })
const engine = await Engine.open({
  store: await openLmdbStore({ memory: true }),
  services: [
    monitoringService({ notifier: { notify: async () => undefined } }),
    kinesisService(),
    cloudFormationService(),
    lambdaService({ kinesis: () => undefined }),
  ],
})

const declares = /AWS::DynamoDB::(Global)?Table\b|AWS::Serverless::SimpleTable/
const totals = { files: 0, tables: 0, applied: 0, unreadable: 0, stacks: 0, deployed: 0 }
const failures = []
let account = 0

for (const folder of folders) {
  for (const file of filesIn(folder)) {
    const text = readFileSync(file, 'utf8')
    if (!declares.test(text)) continue
    const scope = { region: 'us-east-1', accountId: String(++account).padStart(12, '0') }
    const problem = await applied(file, text, scope).catch((error) => `throws ${error.name}: ${error.message}`)
    if (problem !== undefined) failures.push(`${file}: ${problem}`)
    const elsewhere = { ...scope, accountId: String(++account).padStart(12, '0') }
    const failed = await deployed(file, text, elsewhere).catch((error) => `stack: ${error.name}: ${error.message}`)
    if (failed !== undefined) failures.push(`${file}: ${failed}`)
  }
}
if (failures.length > 0) console.log(failures.join('\n'))
console.log(totals)
// What ends in the background waits for timers that keep no process alive.
const alive = setInterval(() => undefined, 1_000)
await engine.close()
clearInterval(alive)

/** Or why not. */
async function applied(file, text, scope) {
  const document = parsed(text)
  const declared = readDeclared(file, { ...scope, stack: 'sample', parameters: guessed(document) })
  if (declared.tables.length === 0 && declared.problems.length === 0) return undefined
  totals.files += 1
  const port = {
    call: async (target, operation, input, region = scope.region) =>
      toPlain(await engine.execute({ ...scope, region }, target, operation, input)) ?? {},
  }
  const request = (operation, input, region) => port.call('DynamoDB_20120810', operation, input, region)
  for (const table of declared.tables) {
    totals.tables += 1
    await carryOut(port, await planTable(port, table))
    const other = await difference(table, (operation, input) => request(operation, input, table.global?.region))
    if (other !== undefined) return `${table.name} is not as declared: ${other}`
    const again = await planTable(port, table)
    if (again.kind !== 'unchanged')
      return `${table.name} would change again: ${again.reason ?? again.steps.map(({ does }) => does).join('; ')}`
  }
  if (declared.problems.length > 0) {
    totals.unreadable += 1
    return declared.problems.join(' ')
  }
  totals.applied += 1
  return undefined
}

/** Compared without the planner, which would not see what it leaves out. */
async function difference({ name: TableName, create, timeToLiveAttribute, recoveryDays, global }, request) {
  const { Table } = await request('DescribeTable', { TableName })
  const { TimeToLiveDescription: ttl } = await request('DescribeTimeToLive', { TableName })
  const { ContinuousBackupsDescription: backups } = await request('DescribeContinuousBackups', { TableName })
  const { PointInTimeRecoveryDescription: recovery } = backups
  const { Tags } = await request('ListTagsOfResource', { ResourceArn: Table.TableArn })
  const there = {
    ...shapeOf(Table, Table.BillingModeSummary?.BillingMode),
    timeToLiveAttribute: ttl.AttributeName,
    recoveryDays: recovery.RecoveryPeriodInDays,
    Tags: byText(Tags),
    regions: byText(Table.Replicas?.map(({ RegionName }) => RegionName)),
  }
  const declared = {
    ...shapeOf(create, create.BillingMode),
    timeToLiveAttribute,
    recoveryDays,
    Tags: byText(create.Tags),
    regions: byText(global?.replicas.map(({ region }) => region)),
  }
  try {
    deepEqual(there, declared)
  } catch (error) {
    return error.message
  }
}

function shapeOf(table, billingMode = 'PROVISIONED') {
  const isOnDemand = billingMode === 'PAY_PER_REQUEST'
  const units = ({ ProvisionedThroughput }) =>
    isOnDemand ? undefined : [ProvisionedThroughput?.ReadCapacityUnits, ProvisionedThroughput?.WriteCapacityUnits]
  const index = ({ IndexName, KeySchema, Projection: { ProjectionType, NonKeyAttributes } }) => [
    [IndexName, KeySchema, ProjectionType, byText(NonKeyAttributes)],
  ]
  return {
    isOnDemand,
    key: table.KeySchema.map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`),
    attributes: byText(table.AttributeDefinitions),
    units: units(table),
    global: byText(table.GlobalSecondaryIndexes?.map((one) => [index(one), units(one)])),
    local: byText(table.LocalSecondaryIndexes?.map(index)),
    stream: table.StreamSpecification?.StreamViewType,
    tableClass: table.TableClassSummary?.TableClass ?? table.TableClass ?? 'STANDARD',
    isProtected: table.DeletionProtectionEnabled ?? false,
    isEncrypted: table.SSEDescription?.Status === 'ENABLED' || table.SSESpecification?.Enabled === true,
  }
}

function byText(list = []) {
  return list.map((one) => JSON.stringify(one)).toSorted()
}

async function deployed(file, text, scope) {
  const document = parsed(text)
  if (!isObject(document) || !isObject(document['Resources']) || Buffer.byteLength(text) > 51_200) return undefined
  totals.stacks += 1
  const call = (operation, input) => engine.execute(scope, cloudFormationTarget, operation, input)
  const Parameters = [...(guessed(document) ?? [])].map(([ParameterKey, ParameterValue]) => ({
    ParameterKey,
    ParameterValue,
  }))
  const Capabilities = ['CAPABILITY_NAMED_IAM', 'CAPABILITY_AUTO_EXPAND']
  await call('CreateStack', { StackName: 'sample', TemplateBody: text, Parameters, Capabilities })
  for (;;) {
    const { Stacks } = await call('DescribeStacks', { StackName: 'sample' })
    const [{ StackStatus }] = Stacks
    if (StackStatus === 'CREATE_COMPLETE') break
    if (!StackStatus.endsWith('IN_PROGRESS')) {
      const { StackEvents } = await call('DescribeStackEvents', { StackName: 'sample' })
      const told = StackEvents.find(({ ResourceStatus }) => ResourceStatus === 'CREATE_FAILED')
      return `stack: ${StackStatus}: ${told?.LogicalResourceId}: ${told?.ResourceStatusReason}`
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  totals.deployed += 1
  return undefined
}

/** Values for parameters that have none. */
function guessed(document) {
  const parameters = isObject(document) && isObject(document['Parameters']) ? document['Parameters'] : {}
  const found = Object.entries(parameters)
    .filter(([, declared]) => isObject(declared) && declared['Default'] === undefined)
    .map(([name, { Type, AllowedValues, MinValue }]) => {
      if (String(Type).startsWith('AWS::SSM::')) return [name, '/cdk-bootstrap/hnb659fds/version']
      return [
        name,
        String(
          AllowedValues?.[0] ??
            (Type === 'Number' ? (MinValue ?? 5) : /mail/i.test(name) ? 'a@example.com' : 'sample'),
        ),
      ]
    })
  return found.length === 0 ? undefined : new Map(found)
}

function parsed(text) {
  try {
    return parseText(text, 'it')
  } catch {
    return undefined
  }
}

function* filesIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git') yield* filesIn(path)
    else if (entry.isFile() && /\.(ya?ml|json|template)$/.test(entry.name) && entry.name !== 'package-lock.json')
      yield path
  }
}
