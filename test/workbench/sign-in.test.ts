import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeViolations } from './support/axe.ts'
import { overflowing } from './support/overflow.ts'
import { SessionRequests } from './support/session-requests.ts'
import { useWorkbench } from './support/use-workbench.ts'
import { testScope, testToken } from './support/workbench-server.ts'

const { accountId } = testScope
const table = `arn:aws:dynamodb:us-east-1:${accountId}:table/music`
const policy = (...Statement: object[]) => ({ Version: '2012-10-17', Statement })
const secret = 'a-secret-that-is-never-kept-anywhere'
const keyOf = (name: string) => ({ id: `AKIA${name.toUpperCase()}000000000000`.slice(0, 20), secret })

/** Ann is a developer who may see her own policies; bob may read one table and nothing else. */
const identities = {
  policies: {
    developer: {
      document: policy(
        { Sid: 'Tables', Effect: 'Allow', Action: ['dynamodb:*', 'cloudwatch:*'], Resource: '*' },
        { Sid: 'NoScans', Effect: 'Deny', Action: 'dynamodb:Scan', Resource: table },
        { Sid: 'Self', Effect: 'Allow', Action: ['iam:Get*', 'iam:List*', 'iam:Simulate*'], Resource: '*' },
      ),
    },
    limits: { document: policy({ Effect: 'Allow', Action: '*', Resource: '*' }) },
  },
  groups: { developers: { attached: ['developer'] } },
  users: {
    ann: { groups: ['developers'], boundary: 'limits', accessKeys: [keyOf('ann'), keyOf('annagain')] },
    bob: {
      policies: {
        one: policy({
          Effect: 'Allow',
          Action: ['dynamodb:DescribeTable', 'dynamodb:Query'],
          Resource: table,
          Condition: { StringEqualsIfExists: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' } },
        }),
      },
      accessKeys: [keyOf('bob')],
    },
  },
}

const connections = { far: { endpoint: 'http://127.0.0.1:1' } }
const bench = useWorkbench({ examples: ['music'], identities, connections })

const card = (page: Page) => page.getByRole('dialog', { name: 'Sign in to hashrange' })

async function signIn(page: Page, name: string, typed = secret): Promise<void> {
  await card(page).waitFor()
  await page.getByLabel('Access key ID').fill(keyOf(name).id)
  await page.getByLabel('Secret access key').fill(typed)
  await page.keyboard.press('Enter')
}

const deactivate = (name: string, status: string) =>
  bench.server.engine.execute(testScope, 'AWSIdentityManagementV20100508', 'UpdateAccessKey', {
    UserName: name.startsWith('ann') ? 'ann' : name,
    AccessKeyId: keyOf(name).id,
    Status: status,
  })

describe('without a browser', () => {
  const scope = `account=${accountId}&region=us-east-1`

  test('a key signs in, both halves of the session are needed, and it ends when it is told to', async () => {
    const ann = new SessionRequests(bench.server.origin)
    expect(await ann.ask('info')).toMatchObject({ status: 401, body: { __type: 'SignedOut' } })
    const began = await ann.signIn(keyOf('ann').id, secret)
    expect(began.setCookie).toMatch(
      /^hashrange-session-\d+=[\w-]{32}; Path=\/_workbench\/api; HttpOnly; SameSite=Strict; Max-Age=43\d{3}$/,
    )
    expect(JSON.stringify(began)).not.toContain(secret)
    const { body } = await ann.ask('info')
    expect(body['signedIn']).toMatchObject({ kind: 'user', name: 'ann', arn: `arn:aws:iam::${accountId}:user/ann` })
    for (const half of [
      { cookie: '', 'x-hashrange-workbench': ann.proof },
      { 'x-hashrange-workbench': 'x'.repeat(32) },
      { cookie: `${ann.cookie}; ${ann.cookie}` },
      { 'x-hashrange-workbench': testToken },
    ]) {
      expect((await ann.ask('info', {}, half)).status).toBe(401)
    }
    // Another origin, with all that there is to know.
    expect((await ann.ask('info', {}, { origin: 'http://127.0.0.1:1' })).status).toBe(403)
    expect((await ann.ask('session/sign-out', {}, { origin: 'http://127.0.0.1:1' })).status).toBe(403)
    expect(await ann.ask('dynamodb/ListTables?account=999999999999&region=us-east-1')).toMatchObject({
      status: 403,
      body: { __type: 'OtherAccount' },
    })
    expect((await ann.ask('session/sign-out')).setCookie).toContain('Max-Age=0')
    expect((await ann.ask('info')).status).toBe(401)
  })

  test('whoever cannot sign in is told why, in a sentence', async () => {
    const nobody = new SessionRequests(bench.server.origin)
    const { id } = keyOf('bob')
    const refusals = [
      await nobody.signIn(id, 'wrong'),
      await nobody.signIn('AKIANOBODY', secret),
      await nobody.signIn(id, secret, { sessionToken: 'none-of-ours' }),
      await nobody.signIn(id, secret, { skewMs: 3_600_000 }),
      await nobody.signInWithToken('no-token'),
      await nobody.ask('session/sign-in', {}),
      await nobody.ask('session/sign-in', { token: 7 }),
      await nobody.ask('session/%41', {}),
    ]
    expect(refusals.map(({ status, body }) => [status, body['__type']])).toEqual([
      [403, 'WrongSecret'],
      [403, 'UnknownKey'],
      [403, 'UnknownKey'],
      [403, 'WrongClock'],
      [403, 'WrongToken'],
      [400, 'BadRequest'],
      [403, 'WrongToken'],
      [404, 'NotFound'],
    ])
    expect(refusals.every(({ setCookie }) => setCookie === '')).toBe(true)
  })

  test('a request is decided as over the API, and says nothing that the API would not', async () => {
    const bob = new SessionRequests(bench.server.origin)
    await bob.signIn(keyOf('bob').id, secret)
    const denied = [
      'tables',
      'heat',
      'models',
      'dynamodb/Scan',
      'dynamodb/AWSIdentityManagementV20100508.ListUsers',
      'access/simulate',
    ]
    for (const path of denied) {
      const body = { TableName: 'music', principalArn: 'a:b', operation: 'Scan', input: {} }
      const { body: answer } = await bob.ask(`${path}?${scope}`, path === 'models' ? {} : body)
      expect([path, answer['__type']]).toEqual([path, expect.stringContaining('AccessDenied')])
    }
    const { body: info } = await bob.ask('info')
    expect(info).toMatchObject({ path: '', scopes: [], defaultScope: { accountId, tables: 0 } })
    expect((await bob.ask(`dynamodb/DescribeTable?${scope}`, { TableName: 'music' })).status).toBe(200)
    const { body } = await bob.ask(`access/explain?${scope}`, { operation: 'Scan', input: { TableName: 'music' } })
    expect(body).toMatchObject({ maySeeStatements: false, decisions: [{ outcome: 'implicit-deny', unmet: [] }] })
  })

  test('connections use the credentials of the server: they are for those whom a policy lets', async () => {
    const far = 'connection=far&region=us-east-1'
    const wordsOf = ({ body }: { readonly body: object }) => JSON.stringify(body)
    const bob = new SessionRequests(bench.server.origin)
    await bob.signIn(keyOf('bob').id, secret)
    expect((await bob.ask('info')).body).toMatchObject({ connections: [], whyNoConnections: expect.any(String) })
    const refused = await bob.ask(`dynamodb/ListTables?${far}`)
    expect(wordsOf(refused)).toMatch(/hashrange:Read on resource: .*:_workbench\/connections\/far/)
    expect(wordsOf(await bob.ask(`dynamodb/DeleteTable?${far}`, { TableName: 'x' }))).toContain('hashrange:Operate')
    expect(wordsOf(await bob.ask('connections/begin-writing', { name: 'far' }))).toContain('hashrange:Operate')
    expect((await bob.ask('connections/add', { name: 'x', endpoint: 'http://127.0.0.1:1' })).status).toBe(403)
    expect((await bob.ask('connections/profiles')).status).toBe(403)
    // A copy is decided request by request.
    const copied = await bob.ask('copies/begin', { from: far, to: scope, tables: ['x'] })
    const outcome = async () => (await bob.ask('copies/state', { id: copied.body['id'] })).body
    await expect.poll(outcome, { interval: 20 }).toMatchObject({ outcome: 'failed' })
    const operator = new SessionRequests(bench.server.origin)
    await operator.signInWithToken(testToken)
    expect((await operator.ask(`dynamodb/ListTables?${far}`)).body['__type']).toBe('ConnectionFailed')
    expect((await operator.ask('copies/state', { id: copied.body['id'] })).status).toBe(404)
  })

  test('a key that is deactivated ends its sessions at once; a token is the operator’s', async () => {
    const bob = new SessionRequests(bench.server.origin)
    await bob.signIn(keyOf('bob').id, secret)
    await deactivate('bob', 'Inactive')
    const { status, body } = await bob.ask('info')
    expect([status, body['message']]).toEqual([
      401,
      `The access key ${keyOf('bob').id} was deactivated or deleted. Sign in with another one.`,
    ])
    await deactivate('bob', 'Active')
    const operator = new SessionRequests(bench.server.origin)
    expect((await operator.signInWithToken(testToken)).status).toBe(200)
    expect((await operator.ask('info')).body['signedIn']).toMatchObject({ kind: 'operator' })
    expect((await operator.ask(`dynamodb/Scan?${scope}`, { TableName: 'music' })).status).toBe(200)
  })
})

describe('in the page', () => {
  test('one signs in, sees why a query is allowed or denied, simulates others, and signs out', async () => {
    bench.expectConsole(/403|400|401/)
    const page = await bench.open('/query/music?mode=key&pk=x&tab=access', { token: '' })
    await card(page).waitFor()
    await expect.poll(() => page.getByText('music').count()).toBe(0)
    await bench.shoot(page, 'sign-in')
    expect(await axeViolations(page)).toEqual([])
    await signIn(page, 'ann', 'wrong')
    await page.getByText('The secret access key is wrong.').waitFor()
    await expect.poll(() => page.getByLabel('Secret access key').inputValue()).toBe('')
    await page.getByLabel('Access key ID').fill('AKIANOBODY')
    await page.getByLabel('Secret access key').fill(secret)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(/does not know this access key/).waitFor()
    await signIn(page, 'ann')
    // Where one wanted to go.
    await page.getByRole('heading', { name: 'dynamodb:Query' }).waitFor()
    await page.getByText('An identity-based policy of ann allows it, and nothing denies it.').waitFor()
    await page.getByText('developer', { exact: true }).first().click()
    await page.getByText('"Sid": "Tables"').waitFor()
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]) + document.cookie)
    expect(kept).toContain('hashrange.session')
    expect(kept).not.toContain(secret)
    expect(kept).not.toContain(keyOf('ann').id)

    await page.getByRole('button', { name: /^Principal/ }).click()
    await page.getByRole('option', { name: /bob/ }).click()
    await page.getByRole('button', { name: 'Simulate' }).click()
    const simulated = page.getByRole('status', { name: 'Simulated decisions' })
    await simulated.getByText('No identity-based policy of bob allows it.').waitFor()
    await simulated.getByText(/1 statement about this action/).waitFor()
    await bench.shoot(page, 'access-simulator')
    expect(await axeViolations(page)).toEqual([])
    await page.getByText('A policy', { exact: true }).click()
    await page.getByRole('button', { name: 'Simulate' }).click()
    await simulated
      .getByText('An identity-based policy of this principal allows it, and nothing denies it.')
      .waitFor()
    for (const width of [390, 1024, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await overflowing(page)).toEqual([])
      if (process.env['WALK_SIZES'] !== undefined) await bench.shoot(page, `access-simulator-${width}`)
    }

    await page.getByRole('button', { name: 'Signed in as ann' }).click()
    await page.getByRole('menuitem', { name: 'Who am I' }).click()
    await page.getByRole('heading', { name: 'Policies of the group developers' }).waitFor()
    await page.getByText(`arn:aws:iam::${accountId}:policy/limits`).waitFor()
    await bench.shoot(page, 'who-am-i')
    expect(await axeViolations(page)).toEqual([])
    await page.reload()
    await page.getByRole('heading', { name: 'dynamodb:Query' }).waitFor()
    await page.getByRole('button', { name: 'Signed in as ann' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await card(page).waitFor()
    await page.reload()
    await card(page).waitFor()
    await expect.poll(() => page.getByText('dynamodb:Query').count()).toBe(0)
  })

  test('what is denied is told in every view, and breaks none of them', async () => {
    bench.expectConsole(/400|403/)
    const page = await bench.open('/tables', { token: '' })
    await signIn(page, 'bob')
    await page.getByText('You may not use dynamodb:ListTables').waitFor()
    await bench.shoot(page, 'denied-tables')
    expect(await axeViolations(page)).toEqual([])
    await page.getByLabel('Table name').fill('music')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByRole('heading', { name: 'music' }).waitFor()
    const views: Readonly<Record<string, RegExp>> = {
      'items/music': /You may not use dynamodb:Scan/,
      'collections/music': /You may not use dynamodb:/,
      heat: /You may not use cloudwatch:GetMetricData/,
      'heat/music': /You may not use cloudwatch:GetMetricData/,
      streams: /You may not use dynamodb:ListStreams/,
      model: /You may not use hashrange:Read/,
      query: /You may not use dynamodb:ListTables/,
      'tables/music?tab=backups': /You may not use dynamodb:/,
      'tables/music?tab=tags': /You may not use dynamodb:ListTagsOfResource/,
      'tables/music?tab=settings': /Time to live/i,
    }
    for (const [path, words] of Object.entries(views)) {
      await page.goto(`${bench.server.origin}/_workbench/${path}`)
      await page.getByText(words).first().waitFor()
    }
    await page.goto(`${bench.server.origin}/_workbench/query/music?mode=key&pk=x&run=1`)
    await page.getByText('You may not use dynamodb:Query').waitFor()
    await page.getByRole('button', { name: 'Why?' }).click()
    const why = page.getByRole('dialog', { name: 'Why: Query' })
    await why.getByText('No identity-based policy of bob allows it.').waitFor()
    await why.getByText('iam:SimulatePrincipalPolicy').waitFor()
    await bench.shoot(page, 'why')
  })

  test('a key that is deactivated meanwhile is told of, and one goes on where one was', async () => {
    bench.expectConsole(/401/)
    const page = await bench.open('/tables', { token: '' })
    await signIn(page, 'ann')
    await page.getByRole('row', { name: /music/ }).waitFor()
    await page.getByRole('button', { name: 'Create table' }).first().click()
    await page.getByLabel('Table name').fill('half-done')
    await deactivate('ann', 'Inactive')
    // What was just asked for is not asked for again at once.
    const told = card(page).getByText(`The access key ${keyOf('ann').id} was deactivated or deleted.`)
    await expect
      .poll(async () => {
        await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
        return told.isVisible()
      })
      .toBe(true)
    await signIn(page, 'annagain')
    await card(page).waitFor({ state: 'hidden' })
    await expect.poll(() => page.getByLabel('Table name').inputValue()).toBe('half-done')
    await deactivate('ann', 'Active')
  })

  test('the token of an address signs in as the operator, and is not kept', async () => {
    const page = await bench.open('/tables')
    await page.getByRole('row', { name: /music/ }).waitFor()
    await page.getByRole('button', { name: 'Signed in as operator' }).waitFor()
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(testToken)
    expect(page.url()).not.toContain(testToken)
  })
})
