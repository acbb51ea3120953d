const prefix = 'hashrange.'

/** Small things that the browser keeps between visits: preferences, saved queries. Storage may be forbidden or full, which
 *  costs the memory and nothing else. */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(prefix + name)
  } catch {
    return null
  }
}

export function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(prefix + name)
    else localStorage.setItem(prefix + name, value)
  } catch {
    // Kept until its owner closes the page.
  }
}

/** What was stored as JSON; the fallback if there is nothing, or something that `check` rejects by throwing. */
export function recallJson<Value>(name: string, fallback: Value, check: (value: unknown) => Value): Value {
  const text = recall(name)
  if (text === null) return fallback
  try {
    return check(JSON.parse(text))
  } catch {
    return fallback
  }
}

export function rememberJson(name: string, value: unknown): void {
  remember(name, JSON.stringify(value))
}
