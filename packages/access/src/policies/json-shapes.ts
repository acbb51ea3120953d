/** Whether parsed JSON is an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One text or many. IAM passes over a null in a list. */
export function textsOf(value: unknown, refusal: () => Error): readonly string[] {
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) throw refusal()
  const texts: string[] = []
  for (const element of value) {
    if (typeof element === 'string') texts.push(element)
    else if (element !== null) throw refusal()
  }
  return texts
}
