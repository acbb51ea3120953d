/** Data of JSON, as exports write it. `undefined` stands for a field that is not there. */
export type Json =
  string | number | boolean | null | undefined | readonly Json[] | { readonly [name: string]: Json }

/** JSON data as YAML in block style. */
export function toYaml(value: Json): string {
  return `${lines(value).join('\n')}\n`
}

function lines(value: Json): readonly string[] {
  if (Array.isArray(value)) return listLines(value)
  if (isObject(value)) return objectLines(value)
  return [scalar(value)]
}

function listLines(list: readonly Json[]): readonly string[] {
  if (list.length === 0) return ['[]']
  return list.flatMap((element) => {
    const [first = '', ...rest] = lines(element)
    return [`- ${first}`, ...rest.map((line) => `  ${line}`)]
  })
}

function objectLines(object: { readonly [name: string]: Json }): readonly string[] {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined)
  if (entries.length === 0) return ['{}']
  return entries.flatMap(([name, value]) => {
    const below = lines(value)
    if (!isBlock(value)) return [`${scalar(name)}: ${below[0] ?? ''}`]
    return [`${scalar(name)}:`, ...below.map((line) => `  ${line}`)]
  })
}

function isBlock(value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0
  return isObject(value) && Object.values(value).some((each) => each !== undefined)
}

/** Plain only where no reader, of YAML 1.1 or 1.2, could take it for anything but a string. */
function scalar(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value ?? null)
  const isPlain = /^[A-Za-z_/][\w ./:+-]*$/.test(value) && !/: |:$| $/.test(value) && !reserved.test(value)
  return isPlain ? value : JSON.stringify(value)
}

const reserved = /^(true|false|yes|no|on|off|y|n|null|none|nan|inf)$/i

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
