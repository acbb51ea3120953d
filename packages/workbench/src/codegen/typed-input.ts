import type { AttributeValue, Item } from '../api-types.ts'
import { membersOf, type CodeRequest } from './service-request.ts'

/** A part of a request's input with what the API model calls it, for languages whose SDK has a type for it. */
export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'enum'; readonly type: string; readonly text: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'flag'; readonly value: boolean }
  | { readonly kind: 'value'; readonly value: AttributeValue }
  /** A variable of the code itself: the partition of a shard. */
  | { readonly kind: 'variable'; readonly name: string }
  /** Attribute values by name. */
  | { readonly kind: 'item'; readonly entries: readonly (readonly [string, Node])[] }
  /** Texts by name. */
  | { readonly kind: 'names'; readonly entries: readonly (readonly [string, Node])[] }
  /** Lists of structures by name. */
  | { readonly kind: 'lists'; readonly type: string; readonly entries: readonly (readonly [string, Node])[] }
  | { readonly kind: 'list'; readonly type: string; readonly nodes: readonly Node[] }
  | { readonly kind: 'struct'; readonly type: string; readonly members: readonly Member[] }

export type Member = readonly [string, Node]

/** The members of an input; `placeholder` stands for the variable `partition`. */
export function typedMembers({ input }: CodeRequest, placeholder?: string): readonly Member[] {
  return structMembers(membersOf(input), placeholder)
}

function structMembers(members: readonly (readonly [string, unknown])[], placeholder?: string): readonly Member[] {
  return members.map(([name, value]) => [name, nodeOf(name, value, placeholder)] as const)
}

/** What the structures inside of lists are called. */
const listed: Readonly<Record<string, string>> = {
  TransactItems: 'TransactWriteItem',
  RequestItems: 'WriteRequest',
}

function nodeOf(name: string, value: unknown, placeholder: string | undefined): Node {
  switch (name) {
    case 'Item':
    case 'Key':
    case 'ExpressionAttributeValues':
      return {
        kind: 'item',
        entries: Object.entries(value as Item).map(([key, each]) => [
          key,
          key === placeholder ? { kind: 'variable', name: 'partition' } : { kind: 'value', value: each },
        ]),
      }
    case 'ExpressionAttributeNames':
      return {
        kind: 'names',
        entries: Object.entries(value as Readonly<Record<string, string>>).map(([key, text]) => [
          key,
          { kind: 'text', text },
        ]),
      }
    case 'Parameters':
      return {
        kind: 'list',
        type: 'AttributeValue',
        nodes: (value as readonly AttributeValue[]).map((each) => ({ kind: 'value', value: each })),
      }
    case 'TransactItems':
      return { kind: 'list', type: listed[name] ?? '', nodes: (value as readonly object[]).map(entryOf(name)) }
    case 'RequestItems':
      return {
        kind: 'lists',
        type: listed[name] ?? '',
        entries: Object.entries(value as Readonly<Record<string, readonly object[]>>).map(([key, entries]) => [
          key,
          { kind: 'list', type: listed[name] ?? '', nodes: entries.map(entryOf(name)) },
        ]),
      }
    case 'ReturnValues':
      return { kind: 'enum', type: 'ReturnValue', text: String(value) }
    default:
      if (typeof value === 'number') return { kind: 'number', value }
      if (typeof value === 'boolean') return { kind: 'flag', value }
      return { kind: 'text', text: String(value) }
  }
}

function entryOf(list: string): (entry: object) => Node {
  return (entry) => ({
    kind: 'struct',
    type: listed[list] ?? '',
    members: Object.entries(entry)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [
        name,
        { kind: 'struct', type: name, members: structMembers(Object.entries(value as object)) },
      ]),
  })
}
