import { unreachable } from '@hashrange/core'
import { isRecord } from './is-record.ts'
import type { Shape, StructureShape } from './shapes.ts'

/** A rejected value as the service prints it: `[a, b]`, `{key=value}`, `KeySchemaElement(attributeName=pk,
 *  keyType=HASH)`. What a client sends may be megabytes long and thousands of levels deep; the message is not. */
export function renderValue(value: unknown, shape: Shape): string {
  const printer: Printer = { text: '', depth: 0 }
  print(printer, value, shape)
  return printer.text
}

/** A rejected value as JSON, within the same limits. */
export function renderJson(value: unknown): string {
  const printer: Printer = { text: '', depth: 0 }
  printJson(printer, value)
  return printer.text
}

interface Printer {
  text: string
  depth: number
}

const maximumLength = 65_536
const maximumDepth = 40

function print(printer: Printer, value: unknown, shape: Shape): void {
  if (value === null || value === undefined) {
    printer.text += 'null'
  } else if (printer.text.length > maximumLength || printer.depth > maximumDepth) {
    printer.text += '...'
  } else {
    printer.depth++
    printPresent(printer, value, shape)
    printer.depth--
  }
}

function printPresent(printer: Printer, value: unknown, shape: Shape): void {
  switch (shape.kind) {
    case 'structure':
      return printStructure(printer, value, shape)
    case 'list':
      return printList(printer, value, (element) => print(printer, element, shape.element))
    case 'map':
      return printMap(printer, value, (member) => print(printer, member, shape.value))
    case 'attribute-value':
      return printAttributeValue(printer, value)
    case 'string':
    case 'integer':
    case 'long':
    case 'double':
    case 'boolean':
    case 'timestamp':
      printer.text += String(value).slice(0, maximumLength)
      return
    default:
      return unreachable(shape)
  }
}

function printStructure(printer: Printer, value: unknown, shape: StructureShape): void {
  if (!isRecord(value)) return
  printer.text += `${shape.name}(`
  shape.members.forEach((member, index) => {
    printer.text += `${index > 0 ? ', ' : ''}${lowerFirst(member.name)}=`
    print(printer, value[member.name], member.shape)
  })
  printer.text += ')'
}

function printList(printer: Printer, value: unknown, printElement: (element: unknown) => void): void {
  if (!Array.isArray(value)) return
  printer.text += '['
  for (let index = 0; index < value.length; index++) {
    if (index > 0) printer.text += ', '
    printElement(value[index])
    if (printer.text.length > maximumLength) break
  }
  printer.text += ']'
}

function printMap(printer: Printer, value: unknown, printMember: (member: unknown) => void): void {
  if (!isRecord(value)) return
  printer.text += '{'
  let first = true
  for (const name in value) {
    printer.text += first ? `${name}=` : `, ${name}=`
    first = false
    printMember(value[name])
    if (printer.text.length > maximumLength) break
  }
  printer.text += '}'
}

function printAttributeValue(printer: Printer, value: unknown): void {
  if (!isRecord(value)) return
  const attributeValue: Shape = { kind: 'attribute-value' }
  printer.text += 'AttributeValue('
  let first = true
  for (const type in value) {
    const member = value[type]
    printer.text += first ? `${lowerFirst(type)}=` : `, ${lowerFirst(type)}=`
    first = false
    if (type === 'M') {
      printMap(printer, member, (inner) => print(printer, inner, attributeValue))
    } else if (type === 'L') {
      printList(printer, member, (inner) => print(printer, inner, attributeValue))
    } else {
      printer.text += String(member).slice(0, maximumLength)
    }
  }
  printer.text += ')'
}

function printJson(printer: Printer, value: unknown): void {
  if (printer.depth >= maximumDepth || printer.text.length > maximumLength) return
  if (typeof value !== 'object' || value === null) {
    printer.text += JSON.stringify(value).slice(0, maximumLength)
    return
  }
  const [start, end] = Array.isArray(value) ? '[]' : '{}'
  printer.text += start
  printer.depth++
  let first = true
  for (const [name, member] of Object.entries(value)) {
    if (printer.text.length > maximumLength) break
    if (!first) printer.text += ','
    first = false
    if (!Array.isArray(value)) printer.text += `${JSON.stringify(name)}:`
    printJson(printer, member)
  }
  printer.depth--
  printer.text += end
}

/** Members are named as in Java: `TableName` is reported as `tableName`. */
export function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}
