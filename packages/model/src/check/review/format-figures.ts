/** Figures as people read them. */
export function formatCount(value: number): string {
  const rounded = value >= 100 ? Math.round(value) : Math.round(value * 100) / 100
  return rounded.toLocaleString('en-US')
}

export function formatBytes(bytes: number): string {
  if (bytes >= 1024 ** 3) return `${formatCount(bytes / 1024 ** 3)} GB`
  if (bytes >= 1024 ** 2) return `${formatCount(bytes / 1024 ** 2)} MB`
  if (bytes >= 1024) return `${formatCount(Math.round((bytes / 1024) * 10) / 10)} KB`
  return `${Math.round(bytes)} B`
}

export function formatShare(share: number): string {
  const percent = share * 100
  return `${percent >= 10 || percent === 0 ? Math.round(percent) : Math.round(percent * 10) / 10} %`
}

/** `a, b and c`. */
export function listOf(names: readonly string[]): string {
  if (names.length <= 1) return names.join('')
  return `${names.slice(0, -1).join(', ')} and ${names[names.length - 1] ?? ''}`
}
