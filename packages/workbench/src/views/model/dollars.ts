/** An amount a month, as exact as is sensible for its size. */
export function dollars(amount: number): string {
  if (amount === 0) return '$0'
  if (amount < 0.01) return '< $0.01'
  const digits = amount < 100 ? 2 : 0
  return `$${amount.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`
}
