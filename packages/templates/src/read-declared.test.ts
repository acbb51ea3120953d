import { describe, expect, test } from 'vitest'
import { readDeclared } from './read-declared.ts'
import { here, keySettings, useTemplateFiles } from './testing/template-files.ts'

const { folder, read, write } = useTemplateFiles()

describe('a CloudFormation template', () => {
  test('declares tables, with functions, parameters and conditions', () => {
    const text = `
Parameters:
  Stage: { Type: String, Default: dev }
  Units: { Type: Number, Default: 3 }
  Names: { Type: CommaDelimitedList, Default: 'a, b' }
Mappings:
  Ages: { dev: { Keep: false }, prod: { Keep: true } }
Conditions:
  IsProd: !Equals [!Ref Stage, prod]
  IsDev: !Not [!Condition IsProd]
Resources:
  Orders:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: !Sub '\${AWS::StackName}-orders-\${Stage}-\${!literal}'
      AttributeDefinitions:
        - { AttributeName: pk, AttributeType: S }
        - { AttributeName: sk, AttributeType: N }
      KeySchema:
        - { AttributeName: pk, KeyType: HASH }
        - { AttributeName: sk, KeyType: RANGE }
      ProvisionedThroughput: { ReadCapacityUnits: !Ref Units, WriteCapacityUnits: '4' }
      GlobalSecondaryIndexes:
        - IndexName: !Join ['-', [by, !Select [1, !Ref Names]]]
          KeySchema: [{ AttributeName: sk, KeyType: HASH }]
          Projection: { ProjectionType: KEYS_ONLY }
          ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 }
      StreamSpecification: { StreamViewType: NEW_IMAGE }
      TimeToLiveSpecification: { AttributeName: ttl, Enabled: 'true' }
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: !If [IsProd, true, false] }
      DeletionProtectionEnabled: !FindInMap [Ages, !Ref Stage, Keep]
      SSESpecification: { SSEEnabled: true, KMSMasterKeyId: !ImportValue key }
      KinesisStreamSpecification: !If [IsProd, { StreamArn: x }, !Ref AWS::NoValue]
      Tags: [{ Key: stage, Value: !Ref Stage }, { Key: owner, Value: !ImportValue owner }]
  OnlyProd:
    Type: AWS::DynamoDB::Table
    Condition: IsProd
    Properties: ${keySettings.replaceAll('\n      ', '\n        ')}
  Function:
    Type: AWS::Lambda::Function
    Condition: IsDev
`
    const { tables, skipped, functions, problems } = read('template.yaml', text, { stack: 'shop' })
    expect(problems).toEqual([])
    expect(skipped).toEqual([])
    expect(functions).toMatchObject([{ name: 'shop-Function' }])
    expect(tables).toMatchObject([
      {
        name: 'shop-orders-dev-${literal}',
        timeToLiveAttribute: 'ttl',
        insights: false,
        create: {
          BillingMode: 'PROVISIONED',
          ProvisionedThroughput: { ReadCapacityUnits: 3, WriteCapacityUnits: 4 },
          GlobalSecondaryIndexes: [{ IndexName: 'by-b' }],
          StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
          SSESpecification: { Enabled: true },
          Tags: [{ Key: 'stage', Value: 'dev' }],
        },
      },
    ])
    expect(tables[0]?.recoveryDays).toBeUndefined()
    expect(tables[0]?.create['DeletionProtectionEnabled']).toBeUndefined()

    const parameters = new Map([['Stage', 'prod']])
    const inProd = read('template.yaml', text, { stack: 'shop', parameters })
    expect(inProd.tables.map(({ name }) => name)).toEqual(['shop-orders-prod-${literal}', 'shop-OnlyProd'])
    expect(inProd.tables[0]).toMatchObject({ recoveryDays: 35, create: { DeletionProtectionEnabled: true } })
  })

  test('says what only AWS knows, and goes on with the rest', () => {
    const text = `
Parameters: { Name: { Type: String } }
Conditions: { Odd: !Equals [!ImportValue a, b], Round: !Condition Round }
Resources:
  Named:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: !Ref Name ${keySettings}
  Imported:
    Type: AWS::DynamoDB::Table
    Properties:
      KeySchema: [{ AttributeName: !ImportValue hash, KeyType: HASH }]
  Odd: { Type: AWS::DynamoDB::Table, Condition: Odd, Properties: {} }
  Round: { Type: AWS::DynamoDB::Table, Condition: Round, Properties: {} }
  Self:
    Type: AWS::DynamoDB::Table
    Properties: { TableName: !Sub 'x-\${Self}' }
  Good:
    Type: AWS::DynamoDB::Table
    Properties: ${keySettings.replaceAll('\n      ', '\n        ')}
`
    const { tables, problems } = read('unknown.yaml', text)
    expect(tables.map(({ name }) => name)).toEqual(['Good'])
    expect(problems.map((problem) => problem.replace(/ in .*unknown\.yaml/, ''))).toEqual([
      'Named: the parameter Name has no default: give its value.',
      'Imported: KeySchema is not known, because Fn::ImportValue is evaluated by AWS alone.',
      'Odd: Fn::ImportValue is evaluated by AWS alone.',
      'Round: condition Round refers to itself.',
      'Self: Self refers to itself.',
    ])
    expect(() => read('unknown.yaml', text, { parameters: new Map([['Nmae', 'x']]) })).toThrow(/no parameter Nmae/)
  })

  test('of SAM has simple tables, and of CDK none with a name', () => {
    const sam = `
Resources:
  Simple: { Type: AWS::Serverless::SimpleTable }
  Keyed:
    Type: AWS::Serverless::SimpleTable
    Properties:
      PrimaryKey: { Name: n, Type: Number }
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }
      Tags: { a: b }
`
    const { tables } = read('sam.yaml', sam)
    expect(tables.map(({ create }) => create)).toMatchObject([
      {
        TableName: 'Simple',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
      },
      {
        AttributeDefinitions: [{ AttributeName: 'n', AttributeType: 'N' }],
        BillingMode: 'PROVISIONED',
        Tags: [{ Key: 'a', Value: 'b' }],
      },
    ])

    const stack = (templateFile: string) => ({
      type: 'aws:cloudformation:stack',
      environment: 'aws://unknown-account/us-west-2',
      properties: { templateFile },
    })
    write(
      'cdk.out/manifest.json',
      JSON.stringify({
        artifacts: {
          Shop: stack('Shop.template.json'),
          Empty: stack('Empty.template.json'),
          'assembly-Stage': { type: 'cdk:cloud-assembly', properties: { directoryName: 'assembly-Stage' } },
        },
      }),
    )
    write(
      'cdk.out/Shop.template.json',
      JSON.stringify({
        Resources: {
          Table1: {
            Type: 'AWS::DynamoDB::Table',
            Properties: {
              KeySchema: [],
              AttributeDefinitions: [],
              TableName: { 'Fn::Join': ['', ['t-', { Ref: 'AWS::Region' }]] },
            },
          },
        },
      }),
    )
    write('cdk.out/Empty.template.json', JSON.stringify({ Parameters: { BootstrapVersion: { Type: 'String' } } }))
    write(
      'cdk.out/assembly-Stage/manifest.json',
      JSON.stringify({ artifacts: { Staged: stack('Staged.template.json') } }),
    )
    write(
      'cdk.out/assembly-Stage/Staged.template.json',
      JSON.stringify({
        Resources: {
          Table2: {
            Type: 'AWS::DynamoDB::GlobalTable',
            Properties: {
              BillingMode: 'PAY_PER_REQUEST',
              KeySchema: [],
              Replicas: [
                {
                  Region: 'eu-west-1',
                  TableClass: 'STANDARD_INFREQUENT_ACCESS',
                  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
                },
              ],
            },
          },
        },
      }),
    )
    const cdk = readDeclared(folder, here)
    expect(cdk.tables).toMatchObject([
      { name: 't-us-west-2' },
      { name: 'Staged-Table2', recoveryDays: 35, create: { TableClass: 'STANDARD_INFREQUENT_ACCESS' } },
    ])
  })

  test('repeats what Fn::ForEach names', () => {
    const text = `
Transform: AWS::LanguageExtensions
Resources:
  'Fn::ForEach::Tables':
    - Name
    - [Users, Orders]
    - '\${Name}Table':
        Type: AWS::DynamoDB::Table
        Properties:
          TableName: !Sub 'x-\${Name}' ${keySettings.replaceAll('\n      ', '\n          ')}
`
    expect(read('each.yaml', text).tables.map(({ name, origin }) => [name, origin.split(' ')[0]])).toEqual([
      ['x-Users', 'UsersTable'],
      ['x-Orders', 'OrdersTable'],
    ])
  })
})

test('serverless.yml declares tables through its variables', () => {
  write('sls/tables.yml', `Orders:\n  name: \${self:custom.prefix}-orders\n`)
  const text = `
service: shop
custom:
  prefix: \${self:service}-\${sls:stage}
  units: { dev: 1, prod: 20 }
  tables: \${file(./tables.yml)}
provider: { name: aws, region: "\${opt:region, 'us-east-1'}", stage: "\${opt:stage, 'dev'}" }
functions: { hello: { handler: a.b } }
resources:
  - Resources:
      Orders:
        Type: AWS::DynamoDB::Table
        Properties:
          TableName: \${self:custom.tables.Orders.name}
          AttributeDefinitions: [{ AttributeName: pk, AttributeType: S }]
          KeySchema: [{ AttributeName: pk, KeyType: HASH }]
          ProvisionedThroughput:
            ReadCapacityUnits: \${self:custom.units.\${sls:stage}}
            WriteCapacityUnits: \${env:NOT_SET, 2}
  - Resources:
      Logs: { Type: AWS::DynamoDB::Table, Properties: { TableName: "\${ssm:/logs}", KeySchema: [] } }
`
  const { tables, skipped, functions, problems } = read('sls/serverless.yml', text, { stage: 'prod' })
  expect(tables).toMatchObject([
    {
      name: 'shop-prod-orders',
      create: { ProvisionedThroughput: { ReadCapacityUnits: 20, WriteCapacityUnits: 2 } },
    },
  ])
  expect(skipped).toEqual([])
  expect(functions).toMatchObject([{ name: 'shop-prod-hello', triggers: [] }])
  expect(problems).toHaveLength(1)
  expect(read('sls/serverless.yml', text).tables[0]?.name).toBe('shop-dev-orders')
  const relies =
    "service: shop\nprovider: { name: aws }\nresources: { Resources: { T: { Type: 'AWS::DynamoDB::Table', Properties: { TableName: 'x-${opt:stage, self:provider.stage}', KeySchema: [] } } } }"
  expect(read('sls/stageless.yml', relies).tables[0]?.name).toBe('x-dev')
})

test.each([
  ['empty', ''],
  ['a list', '- a\n- b'],
  ['a text', 'hello'],
  ['another kind of file', '{"a": 1}'],
  ['half a file', '{"Resources": {'],
  ['an anchor that holds itself', 'a: &a [*a]\nResources: {}'],
  [
    'many anchors',
    `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
      .split('')
      .map((name, n) => `${name}: &${name} [${`*${'abcdefghij'[n]},`.repeat(9)}]`)
      .join('\n')}\nResources: {A: *j}`,
  ],
])('what is no template is refused in a sentence: %s', (_, text) => {
  expect(() => read('bad.yaml', text)).toThrow(/bad\.yaml/)
})

test('names such as __proto__ are names', () => {
  const text =
    '{"Resources": {"__proto__": {"Type": "AWS::SQS::Queue"}, "constructor": {"Type": "AWS::DynamoDB::Table", "Properties": {"KeySchema": [], "TableName": {"Ref": "toString"}}}}}'
  const { skipped, problems } = read('odd.json', text)
  expect(skipped).toHaveLength(1)
  expect(problems).toHaveLength(1)
  const undeclared =
    '{"Resources": {"A": {"Type": "AWS::DynamoDB::Table", "Properties": {"TableName": {"Ref": "__proto__"}}}}}'
  expect(read('odd.json', undeclared).problems).toEqual([
    expect.stringContaining('there is no resource or parameter __proto__'),
  ])
})

const table = (more: object): object => ({
  Type: 'AWS::DynamoDB::Table',
  Properties: { KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }], ...more },
})

test('Fn::Select takes one member of a list, whether or not the others are known, and says if there is none', () => {
  const named = (TableName: object) => read('one.json', JSON.stringify({ Resources: { T: table({ TableName }) } }))
  const list = [{ Ref: 'Unknown' }, { 'Fn::Join': ['-', ['a', 'b']] }]
  expect(named({ 'Fn::Select': ['1', list] }).tables).toMatchObject([{ name: 'a-b' }])
  expect(named({ 'Fn::Select': [1, { 'Fn::Split': ['.', 'one.two'] }] }).tables).toMatchObject([{ name: 'two' }])
  for (const index of [2, '__proto__', -1])
    expect(named({ 'Fn::Select': [index, list] }).problems).toEqual([
      expect.stringContaining(`Fn::Select cannot select nonexistent value at index ${index}`),
    ])
})

test('functions that multiply what they are given end with a sentence', () => {
  const inside = (text: string, variables: object): object => ({ 'Fn::Sub': [text, variables] })
  const timesEight = (a: object): object => inside('${a}'.repeat(8), { a })
  const ladder = (first: string): object =>
    Array.from({ length: 30 }).reduce<object>(timesEight, { 'Fn::Sub': first })
  const long = 'x'.repeat(100_000)
  const names = {
    Short: ladder(''),
    Ladder: ladder('abc'),
    Texts: inside('${a}'.repeat(2000), { a: long }),
    Lists: inside('${a}'.repeat(2000), { a: { 'Fn::Split': ['', long] } }),
    Joined: { 'Fn::Join': [long, { 'Fn::Split': ['', long] }] },
    Open: { 'Fn::Sub': '${'.repeat(100_000) },
  }
  for (const [id, TableName] of Object.entries(names)) {
    const { tables, problems } = read('big.json', JSON.stringify({ Resources: { [id]: table({ TableName }) } }))
    if (id === 'Short') expect(tables).toMatchObject([{ name: '' }])
    else if (id === 'Open') expect(tables).toHaveLength(1)
    else expect(problems).toEqual([expect.stringContaining('its texts are too long')])
  }
})

test('what is nested deeper than any template is refused in a sentence', () => {
  const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  for (const [name, text] of [
    ['deep.json', `{"Mappings": {"A": {"B": {"C": ${deep(100_000)}}}}, "Resources": {}}`],
    ['deep.yaml', `Resources: ${deep(300)}`],
    ['plan.json', `{"planned_values": {"root_module": ${'{"child_modules":['.repeat(300)}${']}'.repeat(300)}}}`],
  ] as const)
    expect(() => read(name, text)).toThrow('is nested too deeply')
})

test('what doubles with every line, or leads to itself, ends with a sentence', () => {
  const ladder = <T>(step: (n: number) => T): Record<string, T> =>
    Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`T${n + 1}`, step(n)]))
  const conditions = ladder((n) => ({ 'Fn::And': [{ Condition: `T${n}` }, { Condition: `T${n}` }] }))
  const decided = {
    Conditions: { T0: { 'Fn::Equals': ['a', 'a'] }, ...conditions },
    Resources: { Orders: { ...table({}), Condition: 'T40' } },
  }
  expect(read('conditions.json', JSON.stringify(decided)).tables).toMatchObject([{ name: 'Orders' }])

  const names = ladder((n) => table({ TableName: { 'Fn::Sub': `\${T${n}}\${T${n}}` } }))
  const doubled = { Resources: { T0: table({ TableName: 'abc' }), ...names } }
  const { tables, problems } = read('names.json', JSON.stringify(doubled))
  expect(tables.at(1)?.name).toBe('abcabc')
  expect(problems.at(-1)).toContain('T40 in')
  expect(problems.at(-1)).toContain('its texts are too long')

  const variables = Object.values(ladder((n) => `  t${n + 1}: \${self:custom.t${n}}\${self:custom.t${n}}`))
  const service = (name: string): string => `service: shop
provider: { name: aws }
custom:
  t0: abc
${variables.join('\n')}
  one: \${self:custom.two}
  two: \${self:custom.one}
  all: \${self:}
resources: { Resources: { Orders: { Type: AWS::DynamoDB::Table, Properties: { TableName: "${name}",
  KeySchema: [{ AttributeName: pk, KeyType: HASH }] } } } }`
  expect(read('serverless.yml', service('${self:custom.t2}')).tables).toMatchObject([{ name: 'abcabcabcabc' }])
  for (const name of ['t40', 'one', 'all.custom.two']) {
    const found = read('serverless.yml', service(`\${self:custom.${name}}`))
    expect(found).toMatchObject({ tables: [], problems: [expect.stringContaining('its name is not known')] })
  }

  write(
    'assembly/manifest.json',
    '{"artifacts":{"A":{"type":"cdk:cloud-assembly","properties":{"directoryName":"."}}}}',
  )
  expect(() => readDeclared(`${folder}/assembly`, here)).toThrow('leads back to its own folder')
  write(
    'assembly/manifest.json',
    '{"artifacts":{"A":{"type":"aws:cloudformation:stack","properties":{"templateFile":"A.template.json"}}}}',
  )
  expect(() => readDeclared(`${folder}/assembly`, here)).toThrow(
    'names the template A.template.json, which is missing. Run cdk synth again.',
  )
  expect(() => read('anchor.yaml', 'Resources: &all\n  A: *all\n')).toThrow('an anchor that contains itself')
})
