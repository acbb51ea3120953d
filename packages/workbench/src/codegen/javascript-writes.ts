import type { Node, Member } from './typed-input.ts'
import { typedMembers } from './typed-input.ts'
import type { WriteRequest } from './service-request.ts'
import { jsKey, jsValue, wrapped } from './javascript-values.ts'
import { jsString } from './string-literal.ts'

/** The document client's names of commands. */
const commands: Readonly<Record<WriteRequest['operation'], string>> = {
  PutItem: 'PutCommand',
  UpdateItem: 'UpdateCommand',
  DeleteItem: 'DeleteCommand',
  BatchWriteItem: 'BatchWriteCommand',
  TransactWriteItems: 'TransactWriteCommand',
}

export function writeCommand({ operation }: WriteRequest): string {
  return commands[operation]
}

/** What sends a write, as an expression of the document client. `isTyped` adds what TypeScript wants to know. */
export function javascriptWrite(request: WriteRequest, isTyped: boolean): string {
  const members = typedMembers(request)
  if (request.operation === 'BatchWriteItem') return batchText(members, isTyped)
  const object = `{\n${members.map((member) => `  ${indent(memberText(member))},`).join('\n')}\n}`
  const command = `await client.send(new ${writeCommand(request)}(${object}))`
  if (request.input.ReturnValues === undefined) return command
  return `const { Attributes: attributes } = ${command}\nconsole.log(attributes)`
}

/** What the service did not get to is sent again. */
function batchText(members: readonly Member[], isTyped: boolean): string {
  const items = members.find(([name]) => name === 'RequestItems')?.[1]
  return [
    `let items${isTyped ? ": BatchWriteCommandInput['RequestItems']" : ''} = ${items === undefined ? '{}' : jsNode(items)}`,
    `while (${isTyped ? 'items !== undefined && ' : ''}Object.keys(items).length > 0) {`,
    `  const { UnprocessedItems = {} }${isTyped ? ': BatchWriteCommandOutput' : ''} = await client.send(new BatchWriteCommand({ RequestItems: items }))`,
    '  items = UnprocessedItems',
    '}',
  ].join('\n')
}

function memberText([name, node]: Member): string {
  return `${name}: ${jsNode(node)}`
}

function jsNode(node: Node): string {
  switch (node.kind) {
    case 'text':
    case 'enum':
      return jsString(node.text)
    case 'number':
    case 'flag':
      return String(node.value)
    case 'value':
      return jsValue(node.value)
    case 'variable':
      return node.name
    case 'item':
    case 'names':
    case 'lists':
      return wrapped(
        '{',
        node.entries.map(([name, each]) => `${jsKey(name)}: ${jsNode(each)}`),
        '}',
      )
    case 'list':
      return wrapped('[', node.nodes.map(jsNode), ']')
    case 'struct':
      return wrapped('{', node.members.map(memberText), '}')
  }
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
