import { jsKey, wrapped } from '../../../codegen/javascript-values.ts'
import { attributeStoredAs, modelValue, NoModelCode } from '../../../codegen/model-value.ts'
import { parsePath } from '../draft/attribute-path.ts'
import type { FilterCondition, FilterGroup, FilterNode } from '../draft/draft.ts'
import { parseValue, parseValues } from '../draft/value-text.ts'
import { primaryNames, type Operators, type WriteSubject } from './model-subject.ts'

/** Whether it says no more than that there is no such item: what `create` says by itself. */
export function isOnlyAbsent({ nodes, isNegated }: FilterGroup, partitionKey: string): boolean {
  const [node] = nodes
  if (nodes.length !== 1 || node?.kind !== 'condition' || isNegated) return false
  return node.operator === 'not exists' && node.path.trim() === partitionKey
}

/** `{ status: 'OPEN', stock: atLeast(3) }`, or `anyOf` of several; undefined without conditions. */
export function conditionCode(group: FilterGroup, subject: WriteSubject): string | undefined {
  if (group.nodes.length === 0) return undefined
  if (group.isNegated) throw new NoModelCode('The model’s client has no NOT for a group of conditions.')
  if (group.join === 'AND' || group.nodes.length === 1) return allOf(group.nodes, subject)
  return subject.operators.call(
    'anyOf',
    group.nodes.map((node) => allOf([node], subject)),
  )
}

function allOf(nodes: readonly FilterNode[], subject: WriteSubject): string {
  const terms = new Map<string, string>()
  const take = (node: FilterNode): void => {
    if (node.kind === 'group') {
      if (node.isNegated || (node.join === 'OR' && node.nodes.length > 1)) {
        throw new NoModelCode(
          'The model’s client takes conditions that all hold, or alternatives of such, and no deeper groups.',
        )
      }
      return node.nodes.forEach(take)
    }
    const { path, type } = pathInModel(node.path, node.operator, subject)
    if (terms.has(path)) {
      throw new NoModelCode(
        `The model’s client compares ${path} once in a condition. Use “between”, or alternatives.`,
      )
    }
    terms.set(path, comparison(node, type, path, subject.operators))
  }
  nodes.forEach(take)
  return wrapped(
    '{',
    [...terms].map(([path, code]) => `${jsKey(path)}: ${code}`),
    '}',
  )
}

type Described = WriteSubject['entity']['attributes'][number]

/** A path by the model's names: `address.city`. */
export function pathInModel(
  text: string,
  operator: string,
  { entity, table }: Pick<WriteSubject, 'entity' | 'table'>,
): { readonly path: string; readonly type: Described | undefined; readonly name: string } {
  const [first, ...rest] = parsePath(text)
  const stored = first?.kind === 'name' ? first.name : ''
  let attribute = attributeStoredAs(entity.attributes, stored)
  const isKey = stored === table.partitionKey.name || stored === table.sortKey?.name
  if (attribute === undefined && isKey && rest.length === 0 && operator.endsWith('exists')) {
    // Every item has its key. An attribute that the key is made of says the same.
    const names = primaryNames(entity)
    attribute = entity.attributes.find(({ name, isStored }) => names.has(name) && isStored)
  }
  if (attribute === undefined) {
    throw new NoModelCode(`${entity.name} has no attribute ${stored.slice(0, 60)}.`)
  }
  const steps = rest.map((step) => {
    if (step.kind === 'index') return `[${String(step.at)}]`
    if (/[.[\]]/.test(step.name))
      throw new NoModelCode(`The model’s client has no path for the name ${step.name.slice(0, 60)}.`)
    return `.${step.name}`
  })
  return {
    path: `${attribute.name}${steps.join('')}`,
    name: attribute.name,
    type: rest.length === 0 ? attribute : undefined,
  }
}

const functions: Readonly<Partial<Record<FilterCondition['operator'], string>>> = {
  '<>': 'differs',
  '<': 'below',
  '<=': 'atMost',
  '>': 'above',
  '>=': 'atLeast',
  between: 'between',
  in: 'oneOf',
  begins_with: 'beginsWith',
  contains: 'contains',
  exists: 'exists',
  'not exists': 'absent',
}

function comparison(
  { operator, type, value, to }: FilterCondition,
  described: Described | undefined,
  path: string,
  operators: Operators,
): string {
  const code = (text: string, of = described as Parameters<typeof modelValue>[1]): string =>
    modelValue(parseValue(text, type), of, path)
  if (operator === '=') return code(value)
  const name = functions[operator]
  if (name === undefined) throw new NoModelCode(`The model’s client has no comparison like “${operator}”.`)
  if (operator === 'exists' || operator === 'not exists') return operators.call(name, [])
  if (operator === 'between') return operators.call(name, [code(value), code(to)])
  if (operator === 'contains') return operators.call(name, [code(value, described?.element)])
  if (operator !== 'in') return operators.call(name, [code(value)])
  return operators.call(
    name,
    parseValues(value, type).map((each) => modelValue(each, described, path)),
  )
}
