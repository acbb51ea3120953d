/** Fills an input template: `<$.path>` stands for a value of the event, and `<aws.pipes.event.ingestion-time>` and such are
 *  left empty. A template that is JSON stays JSON: a value outside of quotes is written as JSON, one inside as text. */
export function fillTemplate(template: string | undefined, event: unknown): unknown {
  if (template === undefined || template === '') return event
  const filled = template.replaceAll(
    /("?)<(\$[^<>]{0,256}|aws\.[^<>]{0,128})>("?)/g,
    (_, before: string, path: string, after: string) => {
      const value = path.startsWith('$') ? valueAt(event, path) : undefined
      if (before === '"' && after === '"') return JSON.stringify(value === undefined ? '' : value)
      const isInText = before === '"' || after === '"'
      const text = typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : JSON.stringify(value ?? '')
      return isInText ? `${before}${text}${after}` : JSON.stringify(value ?? '')
    },
  )
  try {
    return JSON.parse(filled)
  } catch {
    return filled
  }
}

/** `$.a.b[0].c`; undefined if the event has no such value. */
export function valueAt(event: unknown, path: string): unknown {
  let value: unknown = event
  for (const [, name, index] of path.slice(1).matchAll(/\.([^.[\]]+)|\[(\d{1,6})\]/g)) {
    if (typeof value !== 'object' || value === null) return undefined
    const key = name ?? index ?? ''
    value = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
  }
  return value
}
