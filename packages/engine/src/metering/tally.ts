/** How many samples, their sum, the least and the most: what CloudWatch keeps of a metric in a period. */
export class Tally {
  count = 0
  sum = 0
  minimum = Number.POSITIVE_INFINITY
  maximum = Number.NEGATIVE_INFINITY

  add(value: number): void {
    this.count++
    this.sum += value
    if (value < this.minimum) this.minimum = value
    if (value > this.maximum) this.maximum = value
  }

  merge({ count, sum, minimum, maximum }: Tally): void {
    this.count += count
    this.sum += sum
    if (minimum < this.minimum) this.minimum = minimum
    if (maximum > this.maximum) this.maximum = maximum
  }
}

/** ON DISK: count, sum, minimum, maximum. */
export type StoredTally = readonly [count: number, sum: number, minimum: number, maximum: number]

export function storedTally({ count, sum, minimum, maximum }: Tally): StoredTally {
  return [count, sum, minimum, maximum]
}

export function tallyOf([count, sum, minimum, maximum]: StoredTally): Tally {
  const tally = new Tally()
  tally.count = count
  tally.sum = sum
  tally.minimum = minimum
  tally.maximum = maximum
  return tally
}
