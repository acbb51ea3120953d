import { snakeCase } from './name-cases.ts'
import { pythonValue } from './python-values.ts'
import type { WriteRequest } from './service-request.ts'
import { quotedString } from './string-literal.ts'
import { typedMembers, type Member, type Node } from './typed-input.ts'

/** The lines that send a write, by boto3's resource. */
export function pythonWrite(request: WriteRequest): string[] {
  const members = typedMembers(request)
  if (request.operation === 'BatchWriteItem') return batchLines(members)
  const { operation, input } = request
  const isOfTable = input.TableName !== undefined
  const lines = members
    .filter(([name]) => name !== 'TableName')
    .map((member) => `    ${indented(memberText(member))},`)
  const call = `${isOfTable ? 'table' : 'client'}.${snakeCase(operation)}(`
  if (input.ReturnValues === undefined) return [call, ...lines, ')']
  return [`response = ${call}`, ...lines, ')', 'print(response.get("Attributes"))']
}

/** What the service did not get to is sent again. */
function batchLines(members: readonly Member[]): string[] {
  const items = members.find(([name]) => name === 'RequestItems')?.[1]
  return [
    `items = ${items === undefined ? '{}' : pythonNode(items)}`,
    'while items:',
    '    items = client.batch_write_item(RequestItems=items).get("UnprocessedItems")',
  ]
}

function memberText([name, node]: Member): string {
  return `${name}=${pythonNode(node)}`
}

function pythonNode(node: Node): string {
  switch (node.kind) {
    case 'text':
    case 'enum':
      return quotedString(node.text)
    case 'number':
      return String(node.value)
    case 'flag':
      return node.value ? 'True' : 'False'
    case 'value':
      return pythonValue(node.value)
    case 'variable':
      return node.name
    case 'item':
    case 'names':
    case 'lists':
      return braced(
        '{',
        node.entries.map(([name, each]) => `${quotedString(name)}: ${pythonNode(each)}`),
        '}',
      )
    case 'list':
      return braced('[', node.nodes.map(pythonNode), ']')
    case 'struct':
      return braced(
        '{',
        node.members.map(([name, each]) => `${quotedString(name)}: ${pythonNode(each)}`),
        '}',
      )
  }
}

function braced(open: string, parts: readonly string[], close: string): string {
  const line = `${open}${parts.join(', ')}${close}`
  if (line.length <= 66 && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `    ${indented(part)},`).join('\n')}\n${close}`
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n    ')
}
