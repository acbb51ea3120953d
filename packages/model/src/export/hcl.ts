export type HclValue =
  string | number | boolean | undefined | readonly string[] | { readonly [name: string]: string }

export interface HclBlock {
  readonly type: string
  readonly labels?: readonly string[]
  readonly arguments?: { readonly [name: string]: HclValue }
  readonly blocks?: readonly HclBlock[]
}

/** HCL as `terraform fmt` lays it out. */
export function toHcl(blocks: readonly HclBlock[]): string {
  return `${blocks.map((block) => blockLines(block).join('\n')).join('\n\n')}\n`
}

function blockLines(block: HclBlock): readonly string[] {
  const head = [block.type, ...(block.labels ?? []).map(hclString)].join(' ')
  const inner = argumentLines(block.arguments ?? {})
  for (const nested of block.blocks ?? []) {
    if (inner.length > 0) inner.push('')
    inner.push(...blockLines(nested))
  }
  return [`${head} {`, ...inner.map((line) => (line === '' ? '' : `  ${line}`)), '}']
}

/** The equals signs of neighbouring lines stand below each other. */
function argumentLines(given: NonNullable<HclBlock['arguments']>): string[] {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  const width = Math.max(0, ...entries.map(([name]) => name.length))
  return entries.flatMap(([name, value]) => {
    const [first = '', ...rest] = valueLines(value)
    return [`${name.padEnd(width)} = ${first}`, ...rest]
  })
}

function valueLines(value: HclValue): readonly string[] {
  if (typeof value === 'string') return [hclString(value)]
  if (isList(value)) return [`[${value.map(hclString).join(', ')}]`]
  if (typeof value === 'object') return ['{', ...argumentLines(value).map((line) => `  ${line}`), '}']
  return [String(value)]
}

function isList(value: HclValue): value is readonly string[] {
  return Array.isArray(value)
}

/** `${` and `%{` begin expressions in HCL, and are doubled to be text. */
function hclString(text: string): string {
  return JSON.stringify(text)
    .replaceAll('${', () => '$${')
    .replaceAll('%{', '%%{')
}
