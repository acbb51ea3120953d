import { javaValue } from './java-values.ts'
import { camelCase } from './name-cases.ts'
import type { WriteRequest } from './service-request.ts'
import { quotedString } from './string-literal.ts'
import { typedMembers, type Member, type Node } from './typed-input.ts'

/** The lines that send a write. */
export function javaWrite(request: WriteRequest): string[] {
  const { operation, input } = request
  const built = `${operation}Request request = ${builderText(`${operation}Request`, typedMembers(request))};`
  const call = `client.${camelCase(operation)}(request)`
  const lines =
    operation === 'BatchWriteItem'
      ? [
          `var response = ${call};`,
          '// What is left must be sent again.',
          'System.out.println(response.unprocessedItems());',
        ]
      : input.ReturnValues === undefined
        ? [`${call};`]
        : [`System.out.println(${call}.attributes());`]
  return [...built.split('\n'), ...lines]
}

const structs = [
  'ConditionCheck',
  'Delete',
  'DeleteRequest',
  'Put',
  'PutRequest',
  'TransactWriteItem',
  'Update',
  'WriteRequest',
]

/** The structures that code builds. */
export function structTypes(code: string): string[] {
  return structs.filter((type) => new RegExp(`\\b${type}\\.builder\\(`).test(code))
}

function builderText(type: string, members: readonly Member[]): string {
  const setters = members.map(([name, node]) => `        .${camelCase(name)}(${indented(javaNode(node))})`)
  return [`${type}.builder()`, ...setters, '        .build()'].join('\n')
}

function javaNode(node: Node): string {
  switch (node.kind) {
    case 'text':
    case 'enum':
      return quotedString(node.text)
    case 'number':
    case 'flag':
      return String(node.value)
    case 'value':
      return javaValue(node.value)
    case 'variable':
      return node.name
    case 'item':
    case 'names':
    case 'lists':
      return mapText(node.entries.map(([name, each]) => [quotedString(name), javaNode(each)]))
    case 'list':
      return call('List.of', node.nodes.map(javaNode))
    case 'struct':
      return builderText(node.type, node.members)
  }
}

/** `Map.of` takes ten entries. */
function mapText(entries: readonly (readonly [string, string])[]): string {
  return entries.length > 10
    ? call(
        'Map.ofEntries',
        entries.map(([key, value]) => `Map.entry(${key}, ${value})`),
      )
    : call(
        'Map.of',
        entries.map(([key, value]) => `${key}, ${value}`),
      )
}

function call(name: string, parts: readonly string[]): string {
  const line = `${name}(${parts.join(', ')})`
  if (line.length <= 80 && !line.includes('\n')) return line
  return `${name}(\n${parts.map((part) => `        ${part.replaceAll('\n', '\n        ')}`).join(',\n')})`
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n        ')
}
