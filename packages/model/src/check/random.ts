/** Numbers that look random and are the same for the same seed, on every machine. */
export interface Random {
  /** At least 0, below 1. */
  next(): number
  /** A whole number from 0 to `count - 1`. */
  below(count: number): number
  /** The same, but small numbers are more frequent: the first fifth is drawn about half of the time. */
  skewedBelow(count: number): number
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    return mix(state) / 0x1_0000_0000
  }
  return {
    next,
    below: (count) => Math.floor(next() * count),
    skewedBelow: (count) => Math.floor(next() ** 2.3 * count),
  }
}

/** A number of 32 bits that depends on all bits of another (the finaliser of the mulberry32 generator). */
export function mix(value: number): number {
  let t = Math.imul(value ^ (value >>> 15), value | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return (t ^ (t >>> 14)) >>> 0
}
