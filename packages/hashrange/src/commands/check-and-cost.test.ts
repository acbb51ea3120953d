import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runModelCommand } from './run-model-command.ts'
import { useTerminal } from './testing/use-terminal.ts'

const terminal = useTerminal('models')

/** A model file, as people write them. `index` is one that it may have besides. */
function source({ key = 'NOTE#{noteId}', index = '', limit = 'limit: 25,' } = {}): string {
  return `import { entity, model, s } from '@hashrange/model'

type Colour = 'red' | 'blue'
const colours: readonly [Colour, Colour] = ['red', 'blue']

const Note = entity('Note', { userId: s.ulid(), noteId: s.ulid(), at: s.iso(), colour: s.enum(...colours) })
  .key({ pk: 'USER#{userId}', sk: '${key}' })
  ${index}
  .volume({ items: 100_000, perPartition: 20 })

export const notes = model({
  name: 'notes',
  owner: 'team',
  entities: { Note },
  patterns: (p) => ({
    notes: p.query({ pk: 'USER#{userId}', ${limit} traffic: { rate: 100 } }),
    write: p.put('Note', { traffic: { rate: 10 } }),
  }),
})
`
}

async function put(name: string, text: string): Promise<string> {
  const file = join(terminal.folder, name)
  await writeFile(file, text)
  return file
}

describe('hashrange check', () => {
  test.each([
    [
      'notes.md',
      '# Notes',
      /notes\.md is not a model file\. Model files are TypeScript or JavaScript files, such as shop\.model\.ts\.$/,
    ],
    ['lost.model.ts', "import 'nowhere'\n", /lost\.model\.ts:1:\d+: Cannot find module 'nowhere'$/],
    [
      'minus.model.ts',
      source().replace('rate: 100', 'rate: -100'),
      /^hashrange: The model notes: the traffic of notes has rate: -100\. Declare a number that is 0 or greater\.$/,
    ],
    [
      'nan.model.ts',
      source().replace('items: 100_000', 'items: 0 / 0'),
      /^hashrange: The model notes: the volume of Note has items: NaN\. Declare a number that is 0 or greater\.$/,
    ],
  ])('explains what is wrong with %s', async (name, text, sentence) => {
    expect(await runModelCommand('check', [await put(name, text)])).toBe(2)
    expect(terminal.told.trimEnd()).toMatch(sentence)
  })

  test('explains that a folder is no model', async () => {
    expect(await runModelCommand('check', [terminal.folder])).toBe(2)
    expect(terminal.told).toContain(`hashrange: ${terminal.folder} is a folder. Name a model file inside it.`)
  })

  test('finds nothing in a good model', async () => {
    const file = await put('notes.model.ts', source())
    expect(await runModelCommand('check', [file, '--strict'])).toBe(0)
    expect(terminal.told).toMatch(/^notes +Query +20, /m)
    expect(terminal.told).toContain('notes: no findings')
  })

  test('fails by a warning only if it is strict, and tells where it is', async () => {
    const file = await put('notes.model.ts', source({ limit: '' }))
    expect(await runModelCommand('check', [file])).toBe(0)
    expect(await runModelCommand('check', [file, '--strict'])).toBe(1)
    expect(terminal.told).toContain(`unbounded-collection ${file}:16:`)
  })

  test('writes JSON, Markdown and SARIF', async () => {
    const file = await put('notes.model.ts', source({ limit: '' }))
    const sarif = join(terminal.folder, 'findings.sarif')
    expect(
      await runModelCommand('check', [file, '--json', '--sarif', sarif, '--seed', '5', '--items', '500']),
    ).toBe(0)
    expect(JSON.parse(terminal.told)).toMatchObject({
      models: [{ model: 'notes', seed: 5, findings: [{ severity: 'warning' }] }],
    })
    expect(JSON.parse(await readFile(sarif, 'utf8'))).toMatchObject({
      runs: [{ results: [{ ruleId: 'unbounded-collection' }] }],
    })
    terminal.told = ''
    await runModelCommand('check', [file, '--markdown'])
    expect(terminal.told).toContain('### `notes`: 1 warning')
  })
})

describe('a model file that is wrong', () => {
  test.each([
    ['a template without such an attribute', source({ key: 'NOTE#{nope}' }), /notes\.model\.ts:6:\d+: .*nope/],
    ['text that does not parse', 'import x from\n\nconst y = {\n', /notes\.model\.ts:\d+:\d+: /],
    [
      'a function that is not there',
      "import { s } from '@hashrange/model'\n\n\nexport const x = s.frob()\n",
      /notes\.model\.ts:4:\d+: .*frob is not a function/,
    ],
    [
      'a pattern that no entity serves',
      source().replace("pk: 'USER#{userId}', limit", "pk: 'NOPE#{userId}', limit"),
      /notes\.model\.ts:16:\d+: .*NOPE#\{userId\}/,
    ],
    ['a file without a model', 'export const x = 1\n', /notes\.model\.ts does not export a model\./],
  ])('is explained with its line: %s', async (_name, text, sentence) => {
    const file = await put('notes.model.ts', text)
    expect(await runModelCommand('check', [file])).toBe(2)
    expect(terminal.told).toMatch(sentence)
    expect(terminal.told.trim().split('\n')).toHaveLength(1)
  })
})

describe('hashrange cost', () => {
  test('tells dollars a month, by pattern and in all', async () => {
    const file = await put('notes.model.ts', source())
    expect(await runModelCommand('cost', [file, '--prices', '2018-11-28'])).toBe(0)
    // 1 WCU × 10/s × 2,628,000 s at $1.25 a million; 20 items of less than 4 KB together.
    expect(terminal.told).toMatch(/^write +10 +1 WCU +\$32\.85/m)
    expect(terminal.told).toMatch(/^notes +100 +0\.5 RCU +\$32\.85/m)
    terminal.told = ''
    await runModelCommand('cost', [file, '--json', '--prices', '2025-06-01', '--region', 'us-west-2'])
    expect(JSON.parse(terminal.told)).toMatchObject({
      region: 'us-west-2',
      pricesFrom: '2024-11-01',
      model: 'notes',
    })
  })

  test('prices a region without recorded prices as one nearby, and says so, also for replicas', async () => {
    const global = "owner: 'team', table: { global: { regions: ['eu-south-1', 'eu-central-2', 'mars-1'] } },"
    const file = await put('notes.model.ts', source().replace("owner: 'team',", global))
    expect(await runModelCommand('cost', [file, '--region', 'eu-south-1'])).toBe(0)
    expect(terminal.told).toMatch(/^notes: eu-south-1, prices of eu-central-1 as of \d{4}-\d\d-\d\d/)
    const [milan, zurich, mars] = terminal.told.trimEnd().split('\n').slice(-3)
    expect(milan).toMatch(
      /^The prices of eu-south-1 are not recorded\. Those of eu-central-1 are used instead\. .* For exact prices, download https:\/\/pricing\.us-east-1\.amazonaws\.com\/offers\/v1\.0\/aws\/AmazonDynamoDB\/current\/eu-south-1\/index\.json and use --prices FILE\.$/,
    )
    // Prices from a file are those of one region.
    expect(zurich).toMatch(
      /^The prices of eu-central-2 are not recorded\. Those of eu-central-1 are used instead\./,
    )
    expect(mars).toMatch(/^The prices of mars-1 are not recorded\. Those of eu-central-1 are used instead\./)
    expect(`${zurich} ${mars}`).not.toContain('--prices')
  })

  test('takes prices from a file', async () => {
    const file = await put('notes.model.ts', source())
    const sheet = {
      region: 'eu-south-9',
      effectiveFrom: '2026-01-01',
      onDemand: { perMillionReadUnits: 1, perMillionWriteUnits: 2 },
      provisioned: { perReadUnitHour: 0.001, perWriteUnitHour: 0.002 },
      storagePerGbMonth: 1,
      pointInTimeRecoveryPerGbMonth: 1,
    }
    const prices = await put('prices.json', `\uFEFF${JSON.stringify(sheet)}`)
    expect(await runModelCommand('cost', [file, '--prices', prices])).toBe(0)
    expect(terminal.told).toMatch(/^write +10 +1 WCU +\$52\.56/m)
    expect(await runModelCommand('cost', [file, '--prices', prices, '--region', 'us-east-1'])).toBe(2)
  })

  test('tells what a change makes', async () => {
    const before = await put('before.model.ts', source())
    const index = ".index('byColour', { pk: 'USER#{userId}#{colour}', sk: '{at}' })"
    const after = await put('after.model.ts', source({ index }))
    expect(await runModelCommand('cost', [before, '--compare', after, '--prices', '2018-11-28'])).toBe(0)
    expect(terminal.told).toMatch(/^write +\$32\.85 +\$65\.70 +\+\$32\.85/m)
    expect(terminal.told).toMatch(/^storage of index byColour/m)
  })
})

describe('a mistake is explained', () => {
  test.each([
    [['check'], 'Name at least one model file.'],
    [['check', 'nowhere.model.ts'], 'There is no file nowhere.model.ts.'],
    [
      ['check', 'a.model.ts', '--json', '--markdown'],
      '--json and --markdown cannot be used together. Use only one of them.',
    ],
    [['check', 'a.model.ts', '--items', '50000'], '--items must be at most 20000.'],
    [['cost', 'a.model.ts', '--region', 'mars'], 'There are no prices for the region "mars".'],
    [
      ['cost', 'a.model.ts', '--prices', 'today'],
      '--prices must be a date such as 2024-11-01 or a JSON file with prices. "today" is neither.',
    ],
    [['cost'], 'Name one model file, or use --recorded'],
  ])('%j', async ([command, ...words], sentence) => {
    expect(await runModelCommand(command as 'check' | 'cost', words)).toBe(2)
    expect(terminal.told).toContain(`hashrange: ${sentence}`)
  })
})

test.each(['check', 'cost'] as const)('hashrange %s --help tells what it does', async (command) => {
  expect(await runModelCommand(command, ['--help'])).toBe(0)
  expect(terminal.told).toContain(`hashrange ${command}: `)
})
