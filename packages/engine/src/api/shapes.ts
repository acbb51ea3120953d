import { shapeLines } from './dynamodb-shapes.ts'

export type Shape = StructureShape | ListShape | MapShape | ScalarShape | AttributeValueShape

export interface StructureShape {
  readonly kind: 'structure'
  readonly name: string
  readonly members: readonly MemberShape[]
}

export interface MemberShape {
  readonly name: string
  readonly required: boolean
  readonly shape: Shape
}

export interface ListShape extends Bounds {
  readonly kind: 'list'
  readonly name: string
  readonly element: Shape
}

export interface MapShape extends Bounds {
  readonly kind: 'map'
  readonly name: string
  /** Whether the keys are names or ARNs of tables, which the service checks in a way of its own. */
  readonly keyedByTable: boolean
  /** The shape of other keys, if it constrains them. */
  readonly key?: Shape
  readonly value: Shape
}

export interface ScalarShape extends Bounds {
  readonly kind: 'string' | 'integer' | 'long' | 'double' | 'boolean' | 'timestamp'
  readonly name: string
  readonly values?: readonly string[]
  readonly pattern?: string
}

/** The one recursive shape; its type check has a function of its own. */
export interface AttributeValueShape {
  readonly kind: 'attribute-value'
}

/** Of the length of a string, list or map, or of the value of a number. */
export interface Bounds {
  readonly minimum?: number
  readonly maximum?: number
}

/** The input of one of DynamoDB's operations. Throws for an operation that it does not have. */
export function inputShapeOf(operation: string): StructureShape {
  dynamodb ??= new ShapeBook(shapeLines)
  return dynamodb.inputShapeOf(operation)
}

/** Created at the first request. */
let dynamodb: ShapeBook | undefined

/** The shapes of one service, parsed when they are needed. Names of shapes overlap between services, so each has a
 *  book of its own. */
export class ShapeBook {
  readonly #linesByName = new Map<string, string>()
  readonly #parsedByName = new Map<string, Shape>([['AttributeValue', { kind: 'attribute-value' }]])

  constructor(lines: string) {
    for (const line of lines.split('\n')) this.#linesByName.set(line.slice(0, line.indexOf(' ')), line)
  }

  /** The input of an operation. Throws for an operation that the service does not have. */
  inputShapeOf(operation: string): StructureShape {
    const shape = this.shapeOf(`${operation}Input`)
    if (shape.kind !== 'structure') throw new Error(`the input of ${operation} is not a structure`)
    return shape
  }

  shapeOf(name: string): Shape {
    const known = this.#parsedByName.get(name)
    if (known !== undefined) return known
    const line = this.#linesByName.get(name)
    if (line === undefined) throw new Error(`no shape is called ${name}`)
    const shape = parseShape(name, line, (inner) => this.shapeOf(inner))
    this.#parsedByName.set(name, shape)
    return shape
  }
}

function parseShape(name: string, line: string, shapeOf: (name: string) => Shape): Shape {
  // A pattern may contain spaces, so it comes last.
  const [declaration = '', pattern] = line.split(/ pattern (.*)$/)
  const [, kind, ...words] = declaration.split(' ')
  switch (kind) {
    case 'structure':
      return { kind, name, members: words.map((word) => parseMember(word, shapeOf)) }
    case 'list':
      return { kind, name, element: shapeOf(words[0] ?? ''), ...parseBounds(words[1]) }
    case 'map': {
      const keyName = words.includes('keys') ? words.at(-1) : undefined
      const keyedByTable = keyName === 'TableArn'
      return {
        kind,
        name,
        value: shapeOf(words[0] ?? ''),
        keyedByTable,
        ...(keyName === undefined || keyedByTable ? {} : { key: shapeOf(keyName) }),
        ...parseBounds(words[1]),
      }
    }
    case 'string':
    case 'integer':
    case 'long':
    case 'double':
    case 'boolean':
    case 'timestamp': {
      const values = words.includes('enum') ? words.at(-1)?.split('|') : undefined
      return {
        kind,
        name,
        ...parseBounds(words[0]),
        ...(values === undefined ? {} : { values }),
        ...(pattern === undefined ? {} : { pattern }),
      }
    }
    case undefined:
    default:
      throw new Error(`the shape ${name} is of an unknown kind: ${kind}`)
  }
}

function parseMember(word: string, shapeOf: (name: string) => Shape): MemberShape {
  const [name = '', shapeName = ''] = word.split(':')
  const required = name.endsWith('!')
  return { name: required ? name.slice(0, -1) : name, required, shape: shapeOf(shapeName) }
}

function parseBounds(word: string | undefined): Bounds {
  const [, minimum = '', maximum = ''] = /^(-?\d*)\.\.(\d*)$/.exec(word ?? '') ?? []
  return {
    ...(minimum === '' ? {} : { minimum: Number(minimum) }),
    ...(maximum === '' ? {} : { maximum: Number(maximum) }),
  }
}
