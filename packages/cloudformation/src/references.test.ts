import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStackEngine, tableResource, type StackEngine } from './testing/stack-engine.ts'

let own: StackEngine

beforeAll(async () => {
  own = await openStackEngine()
})

afterAll(() => own.close())

test('a template that refers to what it does not declare is refused before anything is made', async () => {
  const named = (TableName: unknown): object => tableResource('pk', { TableName })
  const conditional = {
    Parameters: { Stage: { Type: 'String', Default: 'dev' } },
    Conditions: { IsProd: { 'Fn::Equals': [{ Ref: 'Stage' }, 'prod'] } },
  }
  const inBlock = (names: string, block: string): string =>
    `Template format error: Unresolved resource dependencies [${names}] in the ${block} block of the template`
  for (const [parts, sentence] of [
    [
      { Resources: { A: named({ Ref: 'Nope' }), B: named({ 'Fn::Sub': '${Other}-x' }) } },
      inBlock('Nope, Other', 'Resources'),
    ],
    [{ Resources: { A: { ...tableResource('pk'), DependsOn: ['toString'] } } }, inBlock('toString', 'Resources')],
    [
      { ...conditional, Resources: { A: named({ 'Fn::If': ['IsProd', { Ref: 'Nope' }, 'a'] }) } },
      inBlock('Nope', 'Resources'),
    ],
    [
      { Resources: { A: tableResource('pk') }, Outputs: { O: { Value: { Ref: 'Nope' } } } },
      inBlock('Nope', 'Outputs'),
    ],
    [
      { Resources: { A: named({ 'Fn::GetAtt': ['Nope', 'Arn'] }) } },
      'Template error: instance of Fn::GetAtt references undefined resource Nope',
    ],
    [
      { Resources: { A: named({ 'Fn::Sub': '${!Literal}-${Nope.Arn}' }) } },
      'Template error: instance of Fn::Sub references invalid resource attribute Nope.Arn',
    ],
    [
      { Resources: { A: { ...tableResource('pk'), Condition: 'Nope' } } },
      'Template format error: Unresolved condition dependency Nope in the Resources block of the template',
    ],
    [
      { Resources: { A: named({ 'Fn::If': ['Nope', 'a', 'b'] }) } },
      'Template error: unresolved condition dependency Nope in Fn::If',
    ],
    [
      { Conditions: { C: { 'Fn::Equals': [{ Ref: 'A' }, 'a'] } }, Resources: { A: tableResource('pk') } },
      'Template format error: Unresolved dependencies [A]. Cannot reference resources in the Conditions block of the template',
    ],
  ] as const) {
    const input = { StackName: 'refers', TemplateBody: JSON.stringify(parts) }
    await expect(own.cfn('CreateStack', input)).rejects.toMatchObject({
      code: 'ValidationException',
      message: sentence,
    })
    await expect(own.cfn('ValidateTemplate', { TemplateBody: input.TemplateBody })).rejects.toThrow(sentence)
    await expect(
      own.cfn('CreateChangeSet', { ...input, ChangeSetName: 'refers', ChangeSetType: 'CREATE' }),
    ).rejects.toThrow(sentence)
  }
  const onlyProd = {
    ...conditional,
    Resources: {
      A: { ...tableResource('pk'), Condition: 'IsProd' },
      B: {
        ...named({ 'Fn::Sub': ['${V}-${Stage}-b', { V: { 'Fn::If': ['IsProd', { Ref: 'A' }, 'no'] } }] }),
        DependsOn: 'A',
      },
    },
    Outputs: { OfA: { Condition: 'IsProd', Value: { Ref: 'A' } } },
  }
  const inModule = {
    Resources: {
      M: { Type: 'My::Own::Thing::MODULE', Properties: {} },
      A: { ...named({ Ref: 'M.Table' }), Metadata: { Of: { 'Fn::GetAtt': ['M.Table', 'Arn'] } } },
    },
    Outputs: { O: { Value: { 'Fn::GetAtt': ['M.Table', 'Arn'] } } },
  }
  await own.cfn('ValidateTemplate', { TemplateBody: JSON.stringify(inModule) })
  const worse = { ...onlyProd, Outputs: { OfA: { Value: { 'Fn::GetAtt': ['A', 'Arn'] } } } }
  const input = { StackName: 'refers', TemplateBody: JSON.stringify(worse) }
  expect(await own.cfn('ValidateTemplate', { TemplateBody: input.TemplateBody })).toMatchObject({
    Parameters: [{}],
  })
  await expect(own.cfn('CreateStack', input)).rejects.toThrow(inBlock('A', 'Outputs'))
  await expect(own.cfn('DescribeStacks', { StackName: 'refers' })).rejects.toThrow('does not exist')
  await own.cfn('CreateStack', { ...input, TemplateBody: JSON.stringify(onlyProd) })
  expect(await own.settled('refers')).toMatchObject({ StackStatus: 'CREATE_COMPLETE' })
  expect((await own.resources('refers')).get('B')?.id).toBe('no-dev-b')
  await expect(own.cfn('UpdateStack', input)).rejects.toThrow(inBlock('A', 'Outputs'))
  expect(await own.settled('refers')).toMatchObject({ StackStatus: 'CREATE_COMPLETE' })
})
