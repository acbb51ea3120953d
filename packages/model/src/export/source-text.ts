/** A string literal of TypeScript, in single quotes. */
export function quoted(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${escaped}'`
}

/** A name of a property, quoted only where TypeScript needs it. */
export function propertyName(text: string): string {
  // Written plainly it would be the object's prototype.
  if (text === '__proto__') return `['__proto__']`
  return /^[A-Za-z_$][\w$]*$/.test(text) ? text : quoted(text)
}

/** `order-lines` as `OrderLines`: for classes, and the logical names of CloudFormation, which are letters and digits. */
export function pascalCase(text: string): string {
  const joined = words(text)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
  return /^[A-Za-z]/.test(joined) ? joined : `T${joined}`
}

/** `order-lines` as `orderLines`. */
export function camelCase(text: string): string {
  const pascal = pascalCase(text)
  return pascal.charAt(0).toLowerCase() + pascal.slice(1)
}

/** `Order lines` as `order_lines`. */
export function snakeCase(text: string): string {
  const joined = words(text)
    .map((word) => word.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase())
    .join('_')
  return /^[a-z]/.test(joined) ? joined : `t_${joined}`
}

/** Gives each text its name, numbering the ones that would be the same. */
export function distinctNames<T>(things: readonly T[], nameOf: (thing: T) => string): readonly string[] {
  const taken = new Set<string>()
  return things.map((thing) => {
    const wanted = nameOf(thing)
    let name = wanted
    for (let n = 2; taken.has(name); n++) name = `${wanted}${n}`
    taken.add(name)
    return name
  })
}

function words(text: string): readonly string[] {
  return text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
}
