import type { AttributeValue } from '../api-types.ts'
import { localKeyOf, type CodeTarget } from './code-target.ts'
import { snakeCase } from './name-cases.ts'
import { programBody } from './program-body.ts'
import { isWrite, type CodeRequest } from './service-request.ts'
import { bracedEscapes } from './string-literal.ts'
import type { Member, Node } from './typed-input.ts'

/** A program for the AWS SDK for Rust. */
export function rust(requests: readonly CodeRequest[], target: CodeTarget): string {
  const text = programBody(requests, {
    comment: '//',
    request: bodyOf,
    loop: (values, body) => [
      `for partition in [${values.map(rustValue).join(', ')}] {`,
      ...body.flatMap((line) => line.split('\n')).map((line) => `    ${line}`),
      '}',
    ],
  })
  if (text === undefined) return ''
  const isLocal = localKeyOf(target) !== undefined
  const types = ['AttributeValue', 'Delete', 'Put', 'Update', 'ConditionCheck', 'TransactWriteItem']
    .concat('DeleteRequest', 'PutRequest', 'WriteRequest', 'ReturnValue')
    .filter((type) => new RegExp(`\\b${type}::`).test(text))
    .toSorted()
  return [
    ...(isLocal ? ['use aws_sdk_dynamodb::config::Credentials;'] : []),
    ...(text.includes('Blob::') ? ['use aws_sdk_dynamodb::primitives::Blob;'] : []),
    ...(types.length === 0 ? [] : [`use aws_sdk_dynamodb::types::${braces(types)};`]),
    'use aws_sdk_dynamodb::Client;',
    ...(text.includes('HashMap::') ? ['use std::collections::HashMap;'] : []),
    '',
    '#[tokio::main]',
    'async fn main() -> Result<(), Box<dyn std::error::Error>> {',
    ...[...clientLines(target), text].flatMap((line) => line.split('\n')).map((line) => `    ${line}`),
    '    Ok(())',
    '}',
    '',
  ].join('\n')
}

function clientLines(target: CodeTarget): string[] {
  const { region, endpoint } = target
  const key = localKeyOf(target)
  return [
    'let config = aws_config::defaults(aws_config::BehaviorVersion::latest())',
    `    .region(aws_config::Region::new(${rustString(region)}))`,
    ...(endpoint === undefined ? [] : [`    .endpoint_url(${rustString(endpoint)})`]),
    ...(key === undefined
      ? []
      : [
          '    .credentials_provider(Credentials::new(',
          `        ${rustString(key)},`,
          '        "local",',
          '        None,',
          '        None,',
          '        "local",',
          '    ))',
        ]),
    '    .load()',
    '    .await;',
    'let client = Client::new(&config);',
  ]
}

function bodyOf(request: CodeRequest, members: readonly Member[]): string[] {
  const { operation } = request
  const chain = [`client`, `    .${snakeCase(operation)}()`, ...members.flatMap((member) => setters(member))]
  const send = (name: string): string =>
    [`let ${name} = ${chain.join('\n')}`, '    .send()', '    .await?;'].join('\n')
  if (isWrite(request)) {
    if (operation === 'BatchWriteItem') {
      return [send('output'), '// What is left must be sent again.', 'println!("{:?}", output.unprocessed_items);']
    }
    if (request.input.ReturnValues !== undefined) return [send('output'), 'println!("{:?}", output.attributes);']
    return [[chain.join('\n'), '    .send()', '    .await?;'].join('\n')]
  }
  if (operation === 'GetItem') return [send('output'), 'println!("{:?}", output.item);']
  if (operation === 'ExecuteStatement' || request.input.Limit !== undefined) {
    return [send('output'), 'for item in output.items() {', '    println!("{:?}", item);', '}']
  }
  return [
    [`let mut items = ${chain.join('\n')}`, '    .into_paginator()', '    .items()', '    .send();'].join('\n'),
    'while let Some(item) = items.next().await {',
    '    println!("{:?}", item?);',
    '}',
  ]
}

/** Builders take maps and lists entry by entry. */
function setters([name, node]: Member): string[] {
  const method = snakeCase(name)
  const setter = (...given: readonly string[]): string =>
    `    .${method}(${given.join(', ')})`.replaceAll('\n', '\n    ')
  if (node.kind === 'item' || node.kind === 'names' || node.kind === 'lists') {
    return node.entries.map(([key, each]) => setter(rustString(key), rustNode(each)))
  }
  return node.kind === 'list' ? node.nodes.map((each) => setter(rustNode(each))) : [setter(rustNode(node))]
}

function rustNode(node: Node): string {
  switch (node.kind) {
    case 'text':
      return rustString(node.text)
    case 'enum':
      return `${node.type}::from(${rustString(node.text)})`
    case 'number':
    case 'flag':
      return String(node.value)
    case 'value':
      return rustValue(node.value)
    case 'variable':
      return `${node.name}.clone()`
    case 'list':
      return `vec![\n${node.nodes.map((each) => `    ${indented(rustNode(each))},`).join('\n')}\n]`
    case 'struct': {
      // Those with members that must be there are built with a result.
      const mayFail = !['TransactWriteItem', 'WriteRequest'].includes(node.type)
      const lines = [`${node.type}::builder()`, ...node.members.flatMap((member) => setters(member))]
      return [...lines, `    .build()${mayFail ? '?' : ''}`].join('\n')
    }
    case 'item':
    case 'names':
    case 'lists':
      return `HashMap::from([${node.entries.map(([key, each]) => `(${rustString(key)}.into(), ${rustNode(each)})`).join(', ')}])`
  }
}

function rustValue(value: AttributeValue): string {
  const into = (text: string): string => `${rustString(text)}.into()`
  if ('S' in value) return `AttributeValue::S(${into(value.S)})`
  if ('N' in value) return `AttributeValue::N(${into(value.N)})`
  if ('BOOL' in value) return `AttributeValue::Bool(${String(value.BOOL)})`
  if ('NULL' in value) return 'AttributeValue::Null(true)'
  if ('B' in value) return `AttributeValue::B(${rustBytes(value.B)})`
  if ('L' in value) return `AttributeValue::L(vec![${value.L.map(rustValue).join(', ')}])`
  if ('M' in value) {
    const entries = Object.entries(value.M).map(([name, each]) => `(${into(name)}, ${rustValue(each)})`)
    return `AttributeValue::M(HashMap::from([${entries.join(', ')}]))`
  }
  if ('SS' in value) return `AttributeValue::Ss(vec![${value.SS.map(into).join(', ')}])`
  if ('NS' in value) return `AttributeValue::Ns(vec![${value.NS.map(into).join(', ')}])`
  return `AttributeValue::Bs(vec![${value.BS.map(rustBytes).join(', ')}])`
}

function rustBytes(base64: string): string {
  const bytes = Array.from(
    atob(base64),
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  return `Blob::new(b"${bytes.join('')}")`
}

function rustString(text: string): string {
  return `"${bracedEscapes(text, /[\\"]/g)}"`
}

function braces(names: readonly string[]): string {
  return names.length === 1 ? (names[0] ?? '') : `{${names.join(', ')}}`
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n    ')
}
