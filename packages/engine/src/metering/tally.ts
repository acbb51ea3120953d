/** The number of samples, their sum, minimum and maximum: what CloudWatch keeps of a metric in a period; and the last
 *  sample. */
export class Tally {
  count = 0
  sum = 0
  minimum = Number.POSITIVE_INFINITY
  maximum = Number.NEGATIVE_INFINITY
  last = 0

  add(value: number): void {
    this.last = value
    this.count++
    this.sum += value
    if (value < this.minimum) this.minimum = value
    if (value > this.maximum) this.maximum = value
  }

  addMany(count: number, value: number): void {
    this.add(value)
    this.count += count - 1
    this.sum += (count - 1) * value
  }

  /** Adds the samples of a later tally. */
  merge({ count, sum, minimum, maximum, last }: Tally): void {
    if (count > 0) this.last = last
    this.count += count
    this.sum += sum
    if (minimum < this.minimum) this.minimum = minimum
    if (maximum > this.maximum) this.maximum = maximum
  }
}

/** ON DISK. */
export type StoredTally = readonly [count: number, sum: number, minimum: number, maximum: number, last: number]

export function storedTally({ count, sum, minimum, maximum, last }: Tally): StoredTally {
  return [count, sum, minimum, maximum, last]
}

export function tallyOf([count, sum, minimum, maximum, last]: StoredTally): Tally {
  const tally = new Tally()
  tally.count = count
  tally.sum = sum
  tally.minimum = minimum
  tally.maximum = maximum
  tally.last = last
  return tally
}
