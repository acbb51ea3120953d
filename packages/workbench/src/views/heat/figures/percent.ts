/** `97 %`, with a digit more where it is small. */
export function percent(share: number): string {
  if (share === 0) return '0 %'
  if (share < 0.001) return '< 0.1 %'
  return `${(share * 100).toLocaleString('en-US', { maximumFractionDigits: share < 0.1 ? 1 : 0 })} %`
}
