/** The members of a result as elements of AWS's Query protocol: a list contains `member`s, a map `entry`s with a
 *  `key` and a `value`, a `Date` is written in ISO 8601, and undefined members are left out. */
export function xmlElements(value: object): string {
  let text = ''
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    if (member !== undefined && member !== null) text += xmlElement(name, member)
  }
  return text
}

export function xmlElement(name: string, value: unknown): string {
  const content = contentOf(value)
  return content === '' ? `<${name}/>` : `<${name}>${content}</${name}>`
}

function contentOf(value: unknown): string {
  if (typeof value === 'string') return escapeXml(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Map) {
    return [...value]
      .map(([key, member]) => `<entry>${xmlElement('key', key)}${xmlElement('value', member)}</entry>`)
      .join('')
  }
  if (Array.isArray(value)) return value.map((element) => xmlElement('member', element)).join('')
  return typeof value === 'object' && value !== null ? xmlElements(value) : ''
}

/** What XML cannot contain, such as most control characters, is replaced. */
function escapeXml(text: string): string {
  return text.replace(special, (character) => replacements.get(character) ?? '\uFFFD')
}

const special = /[&<>"\p{Cc}\p{Surrogate}\uFFFE\uFFFF]/gu

const replacements = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\r', '&#13;'],
  ['\n', '\n'],
  ['\t', '\t'],
])
