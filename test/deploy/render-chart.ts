import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'

/** What `helm template` makes of a chart, as far as ours uses its language: `if`, `with`, `range`, `define`, `include` and a few functions.
 *  Whatever else stands in a template is an error. */
export function renderChart(folder: string, release: string, given: Values): string {
  const read = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8')
  const chart = parse(read('Chart.yaml')) as Readonly<Record<string, unknown>>
  const scope = {
    Values: merged(parse(read('values.yaml')) as Values, given),
    Release: { Name: release, Service: 'Helm' },
    Chart: { Name: chart['name'], Version: chart['version'], AppVersion: chart['appVersion'] },
  }
  const defined = new Map<string, readonly Node[]>()
  const files = readdirSync(join(folder, 'templates')).toSorted()
  const trees = files.map((name) => treeOf(read('templates', name), defined))
  return trees.map((tree) => render(tree, { dot: scope, names: new Map(), defined })).join('\n---\n')
}

export type Values = Readonly<Record<string, unknown>>

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'show'; readonly words: string }
  | { readonly kind: 'block'; readonly words: string; readonly inner: Node[]; readonly otherwise: Node[] }

interface Scope {
  readonly dot: unknown
  readonly names: ReadonlyMap<string, unknown>
  readonly defined: ReadonlyMap<string, readonly Node[]>
}

function merged(values: Values, given: Values): Values {
  const changes = Object.entries(given).map(([name, value]) => {
    const before = values[name]
    return [name, isRecord(before) && isRecord(value) ? merged(before, value) : value] as const
  })
  return { ...values, ...Object.fromEntries(changes) }
}

/** `{{-` and `-}}` take the white space beside them away. */
function treeOf(template: string, defined: Map<string, readonly Node[]>): readonly Node[] {
  const root: Node[] = []
  const open: { into: Node[]; block?: Extract<Node, { kind: 'block' }> }[] = [{ into: root }]
  const top = (): Node[] => open.at(-1)?.into ?? root
  const parts = template.split(/(\s*\{\{-[^}]*\}\}|\{\{[^}]*\}\})/)
  let isTrimmed = false
  for (const [place, part] of parts.entries()) {
    if (place % 2 === 0) {
      top().push({ kind: 'text', text: isTrimmed ? part.trimStart() : part })
      isTrimmed = false
      continue
    }
    isTrimmed = part.endsWith('-}}')
    const words = part
      .trim()
      .replace(/^\{\{-?\s*/, '')
      .replace(/\s*-?\}\}$/, '')
    const [first = ''] = words.split(' ', 1)
    if (['if', 'with', 'range', 'define'].includes(first)) {
      const block = { kind: 'block' as const, words, inner: [], otherwise: [] }
      if (first === 'define') defined.set(JSON.parse(words.slice(7)) as string, block.inner)
      else top().push(block)
      open.push({ into: block.inner, block })
    } else if (first === 'else') {
      const { block } = open.pop() ?? {}
      open.push({ into: block?.otherwise ?? [], ...(block && { block }) })
    } else if (first === 'end') {
      open.pop()
    } else {
      top().push({ kind: 'show', words })
    }
  }
  if (open.length !== 1) throw new Error('a block is not closed')
  return root
}

function render(nodes: readonly Node[], scope: Scope): string {
  return nodes.map((node) => renderOne(node, scope)).join('')
}

function renderOne(node: Node, scope: Scope): string {
  if (node.kind === 'text') return node.text
  if (node.kind === 'show') return String(evaluate(node.words, scope))
  const [, kind = '', rest = ''] = /^(\w+) (.*)$/.exec(node.words) ?? []
  if (kind === 'range') {
    const [, key = '', value = '', list = ''] = /^(\$\w+), (\$\w+) := (.*)$/.exec(rest) ?? []
    return Object.entries(evaluate(list, scope) as Values)
      .map(([name, each]) =>
        render(node.inner, { ...scope, names: new Map([...scope.names, [key, name], [value, each]]) }),
      )
      .join('')
  }
  const value = evaluate(rest, scope)
  if (!isTrue(value)) return render(node.otherwise, scope)
  return render(node.inner, kind === 'with' ? { ...scope, dot: value } : scope)
}

/** The result of each step of a pipeline is the last argument of the next. */
function evaluate(pipeline: string, scope: Scope): unknown {
  const steps = wordsOf(pipeline)
  let result: unknown
  let isFirst = true
  while (steps.length > 0) {
    const bar = steps.indexOf('|')
    const step = steps.splice(0, bar < 0 ? steps.length : bar + 1).filter((word) => word !== '|')
    const [name = '', ...others] = step
    const operands = [...others.map((word) => valueOf(word, scope)), ...(isFirst ? [] : [result])]
    result = /^[a-zA-Z]+$/.test(name) ? call(name, operands, scope) : valueOf(name, scope)
    isFirst = false
  }
  return result
}

function wordsOf(text: string): string[] {
  const words: string[] = []
  let rest = text.trim()
  while (rest !== '') {
    let end = /^("[^"]*"|[^\s("]+)/.exec(rest)?.[0].length ?? 0
    if (rest.startsWith('(')) {
      let depth = 0
      do depth += { '(': 1, ')': -1 }[rest[end++] ?? ''] ?? 0
      while (depth > 0)
    }
    words.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return words
}

function valueOf(word: string, scope: Scope): unknown {
  if (word.startsWith('(')) return evaluate(word.slice(1, -1), scope)
  if (word.startsWith('$')) return scope.names.get(word)
  if (word === '.') return scope.dot
  if (!word.startsWith('.')) return JSON.parse(word) as unknown
  let value = scope.dot
  for (const part of word.slice(1).split('.')) value = (value as Values | undefined)?.[part]
  return value
}

function call(name: string, operands: readonly unknown[], scope: Scope): unknown {
  const [a, b] = operands
  switch (name) {
    case 'include':
      return render(scope.defined.get(String(a)) ?? [], { ...scope, dot: b }).trim()
    case 'nindent':
      return `\n${String(b).replaceAll(/^/gm, ' '.repeat(Number(a)))}`
    case 'quote':
    case 'toJson':
      return JSON.stringify(name === 'quote' ? String(a) : a)
    case 'toYaml':
      return stringify(a).trimEnd()
    case 'default':
      return isTrue(b) ? b : a
    case 'required':
      if (isTrue(b)) return b
      throw new Error(String(a))
    case 'printf':
      return operands.slice(1).reduce<string>((text, value) => text.replace('%s', String(value)), String(a))
    case 'trunc':
      return String(b).slice(0, Number(a))
    case 'trimSuffix':
      return String(b).endsWith(String(a)) ? String(b).slice(0, -String(a).length) : b
    case 'eq':
      return a === b
    case 'not':
      return !isTrue(a)
    case 'or':
      return operands.find(isTrue) ?? operands.at(-1)
    default:
      throw new Error(`a template calls ${name}, which is not known here`)
  }
}

function isTrue(value: unknown): boolean {
  return isRecord(value) ? Object.keys(value).length > 0 : Array.isArray(value) ? value.length > 0 : Boolean(value)
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
