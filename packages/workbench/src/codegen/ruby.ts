import type { AttributeValue } from '../api-types.ts'
import { localKeyOf, type CodeTarget } from './code-target.ts'
import { snakeCase } from './name-cases.ts'
import { programBody } from './program-body.ts'
import { isWrite, type CodeRequest } from './service-request.ts'
import { singleOrDouble } from './string-literal.ts'
import type { Member, Node } from './typed-input.ts'

/** A script for the AWS SDK for Ruby, version 3, whose client takes Ruby's own values. */
export function ruby(requests: readonly CodeRequest[], target: CodeTarget): string {
  const text = programBody(requests, {
    comment: '#',
    request: bodyOf,
    loop: (values, body) => [
      `[${values.map(rubyValue).join(', ')}].each do |partition|`,
      ...body.flatMap((line) => line.split('\n')).map((line) => `  ${line}`),
      'end',
    ],
  })
  if (text === undefined) return ''
  return [
    "require 'aws-sdk-dynamodb'",
    ...(text.includes('BigDecimal(') ? ["require 'bigdecimal'"] : []),
    ...(text.includes('.unpack1(') ? ["require 'stringio'"] : []),
    ...(text.includes('Set[') ? ["require 'set'"] : []),
    '',
    ...clientLines(target),
    '',
    text,
    '',
  ].join('\n')
}

function clientLines(target: CodeTarget): string[] {
  const { region, endpoint } = target
  const key = localKeyOf(target)
  return [
    'client = Aws::DynamoDB::Client.new(',
    `  region: ${rubyString(region)},`,
    ...(endpoint === undefined ? [] : [`  endpoint: ${rubyString(endpoint)},`]),
    ...(key === undefined ? [] : [`  access_key_id: ${rubyString(key)},`, "  secret_access_key: 'local',"]),
    ')',
  ]
}

function bodyOf(request: CodeRequest, members: readonly Member[]): string[] {
  const { operation } = request
  const call = `client.${snakeCase(operation)}(\n${members.map((member) => `  ${indented(memberText(member))},`).join('\n')}\n)`
  if (isWrite(request)) {
    if (operation === 'BatchWriteItem') {
      return [`response = ${call}`, '# What is left must be sent again.', 'p response.unprocessed_items']
    }
    return request.input.ReturnValues === undefined ? [call] : [`response = ${call}`, 'p response.attributes']
  }
  if (operation === 'GetItem') return [`response = ${call}`, 'p response.item']
  if (request.input.Limit !== undefined) return [`response = ${call}`, 'response.items.each { |item| p item }']
  // Each page is asked for when the one before was shown.
  return [`response = ${call}`, 'response.each { |page| page.items.each { |item| p item } }']
}

function memberText([name, node]: Member): string {
  return `${snakeCase(name)}: ${rubyNode(node)}`
}

function rubyNode(node: Node): string {
  switch (node.kind) {
    case 'text':
    case 'enum':
      return rubyString(node.text)
    case 'number':
    case 'flag':
      return String(node.value)
    case 'value':
      return rubyValue(node.value)
    case 'variable':
      return node.name
    case 'item':
    case 'names':
    case 'lists':
      return braced(
        '{',
        node.entries.map(([name, each]) => `${rubyString(name)} => ${rubyNode(each)}`),
        '}',
      )
    case 'list':
      return braced('[', node.nodes.map(rubyNode), ']')
    case 'struct':
      return braced('{', node.members.map(memberText), '}')
  }
}

function rubyValue(value: AttributeValue): string {
  if ('S' in value) return rubyString(value.S)
  if ('N' in value) return rubyNumber(value.N)
  if ('BOOL' in value) return String(value.BOOL)
  if ('NULL' in value) return 'nil'
  if ('B' in value) return rubyBinary(value.B)
  if ('L' in value) return braced('[', value.L.map(rubyValue), ']')
  if ('M' in value) {
    const entries = Object.entries(value.M).map(([name, each]) => `${rubyString(name)} => ${rubyValue(each)}`)
    return braced('{', entries, '}')
  }
  const members =
    'SS' in value ? value.SS.map(rubyString) : 'NS' in value ? value.NS.map(rubyNumber) : value.BS.map(rubyBinary)
  return `Set[${members.join(', ')}]`
}

function rubyNumber(digits: string): string {
  return /^-?\d+$/.test(digits) ? digits : `BigDecimal('${digits}')`
}

function rubyBinary(base64: string): string {
  return `StringIO.new(${rubyString(base64)}.unpack1('m0'))`
}

function rubyString(text: string): string {
  return singleOrDouble(text, /[\\"#]/g)
}

function braced(open: string, parts: readonly string[], close: string): string {
  if (parts.length === 0) return open + close
  const space = open === '{' ? ' ' : ''
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  if (line.length <= 70 && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `  ${indented(part)},`).join('\n')}\n${close}`
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
