const units = ['KB', 'MB', 'GB', 'TB'] as const
const wholeNumbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const decimals = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
const unitNumbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** `1.4 KB`: thousands of 1024, as DynamoDB's own limits are. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${wholeNumbers.format(bytes)} B`
  let amount = bytes
  let unit: string = 'B'
  for (const next of units) {
    if (amount < 1024) break
    amount /= 1024
    unit = next
  }
  return `${amount < 10 ? decimals.format(amount) : wholeNumbers.format(amount)} ${unit}`
}

export function formatCount(count: number): string {
  return wholeNumbers.format(count)
}

/** `3 items`, `1 item`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** Capacity units, which come in halves. */
export function formatUnits(amount: number): string {
  return unitNumbers.format(amount)
}

export function formatMs(ms: number): string {
  if (ms < 10) return `${decimals.format(ms)} ms`
  return ms < 1000 ? `${wholeNumbers.format(ms)} ms` : `${decimals.format(ms / 1000)} s`
}

/** `2026-06-15 12:00:03`, in the user's own time zone. */
export function formatTime(seconds: number): string {
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime())) return ''
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19).replace('T', ' ')
}

/** `3 minutes ago`. */
export function formatAgo(seconds: number, now = Date.now() / 1000): string {
  const passed = Math.max(0, now - seconds)
  for (const [length, name] of spans) {
    if (passed >= length) return `${plural(Math.floor(passed / length), name)} ago`
  }
  return 'just now'
}

const spans: readonly (readonly [number, string])[] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
]
