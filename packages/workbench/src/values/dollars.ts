/** `$0.0000125`, `$1.25`, `$12,345`: two digits that say something, and never nothing for something. */
export function formatDollars(dollars: number): string {
  if (dollars === 0) return '$0'
  if (dollars >= 1000) return `$${wholes.format(dollars)}`
  if (dollars >= 1) return `$${cents.format(dollars)}`
  const zeros = Math.max(0, -Math.floor(Math.log10(dollars)) - 1)
  return `$${dollars.toFixed(Math.min(15, zeros + 2))}`
}

const wholes = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
