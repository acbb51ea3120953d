import { aligned, goValue, literal } from './go-values.ts'
import type { WriteRequest } from './service-request.ts'
import { quotedString } from './string-literal.ts'
import { typedMembers, type Member, type Node } from './typed-input.ts'

/** The lines that send a write. */
export function goWrite(request: WriteRequest): string[] {
  const { operation, input } = request
  const fail = ['if err != nil {', '\tlog.Fatal(err)', '}']
  const lines = `input := &dynamodb.${operation}Input${membersText(typedMembers(request))}`.split('\n')
  const call = `client.${operation}(ctx, input)`
  if (operation === 'BatchWriteItem') {
    return [
      ...lines,
      `output, err := ${call}`,
      ...fail,
      '// What is left must be sent again.',
      'fmt.Println(output.UnprocessedItems)',
    ]
  }
  if (input.ReturnValues !== undefined) {
    return [...lines, `output, err := ${call}`, ...fail, 'fmt.Println(output.Attributes)']
  }
  return [...lines, `if _, err := ${call}; err != nil {`, '\tlog.Fatal(err)', '}']
}

function membersText(members: readonly Member[]): string {
  return literal('', aligned(members.map(([name, node]) => ({ name, text: goNode(node) }))))
}

function goNode(node: Node): string {
  switch (node.kind) {
    case 'text':
      return `aws.String(${quotedString(node.text)})`
    case 'enum':
      return `types.${node.type}(${quotedString(node.text)})`
    case 'number':
      return `aws.Int32(${String(node.value)})`
    case 'flag':
      return `aws.Bool(${String(node.value)})`
    case 'value':
      return goValue(node.value)
    case 'variable':
      return node.name
    case 'item':
      return mapText('types.AttributeValue', node.entries)
    case 'names':
      return literal(
        'map[string]string',
        aligned(
          node.entries.map(([name, each]) => ({
            name: quotedString(name),
            text: each.kind === 'text' ? quotedString(each.text) : '',
          })),
        ),
      )
    case 'lists':
      return mapText(`[]types.${node.type}`, node.entries)
    case 'list':
      // In a list of structures Go knows the type of each.
      return literal(
        `[]types.${node.type}`,
        node.nodes.map((each) => `${each.kind === 'struct' ? membersText(each.members) : goNode(each)},`),
      )
    case 'struct':
      return `&types.${node.type}${membersText(node.members)}`
  }
}

function mapText(type: string, entries: readonly (readonly [string, Node])[]): string {
  const texts = entries.map(([name, node]) => ({
    name: quotedString(name),
    // In a map of lists the type of each list is known.
    text: node.kind === 'list' ? goNode(node).replace(/^\[\]types\.\w+/, '') : goNode(node),
  }))
  return literal(`map[string]${type}`, aligned(texts))
}
