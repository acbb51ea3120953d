/** What auto scaling would have made of some traffic. */
export interface ScaledCapacity {
  /** The provisioned units a second, over all minutes. */
  readonly averageUnits: number
  readonly leastUnits: number
  readonly mostUnits: number
  /** The share of the units that neither the capacity nor the burst would have covered: what would have been throttled. */
  readonly throttledShare: number
}

export interface ScalingSettings {
  readonly targetUtilisation: number
  readonly minUnits: number
  readonly maxUnits: number
}

/** The service's timing: utilisation above the target for two minutes in a row raises the capacity, utilisation of 20
 *  percentage points below it for fifteen minutes in a row lowers it. */
const minutesBeforeRise = 2
const minutesBeforeFall = 15
const fallsBelowTargetBy = 0.2
/** Four decreases a day, and one more in each hour without one. */
const freeDecreasesPerDay = 4
const minutesPerHour = 60
const minutesPerDay = 24 * minutesPerHour
const burstSeconds = 300

/** Follows target tracking minute by minute through `unitsByMinute`, repeatedly: first until the capacity has
 *  settled, then for a day or longer, which is what is reported. */
export function simulateAutoScaling(unitsByMinute: readonly number[], settings: ScalingSettings): ScaledCapacity {
  const { length } = unitsByMinute
  const rounds = length === 0 ? 0 : Math.ceil(minutesPerDay / length)
  const average = length === 0 ? 0 : sum(unitsByMinute) / 60 / length
  const scaling = new Scaling(settings, average)
  for (let round = 0; round < rounds; round++) for (const units of unitsByMinute) scaling.pass(units)
  scaling.beginCounting()
  for (let round = 0; round < rounds; round++) for (const units of unitsByMinute) scaling.pass(units)
  return scaling.counted()
}

class Scaling {
  readonly #settings: ScalingSettings
  #capacity: number
  #burst = 0
  #minute = 0
  #minutesAbove = 0
  #minutesBelow = 0
  #decreasesToday = 0
  #lastDecrease = Number.NEGATIVE_INFINITY
  #countedMinutes = 0
  #capacityMinutes = 0
  #least = Number.POSITIVE_INFINITY
  #most = 0
  #units = 0
  #throttledUnits = 0

  constructor(settings: ScalingSettings, averageUnits: number) {
    this.#settings = settings
    this.#capacity = this.#fitting(averageUnits)
  }

  /** One minute with this many units in total. Capacity that changes because of it is available in the next minute. */
  pass(units: number): void {
    if (this.#minute % minutesPerDay === 0) this.#decreasesToday = 0
    this.#count(units)
    const perSecond = units / 60
    const { targetUtilisation } = this.#settings
    // A minute without any traffic has no datapoint, and an alarm does not count it.
    const isAbove = perSecond > this.#capacity * targetUtilisation
    const isBelow = units > 0 && perSecond < this.#capacity * (targetUtilisation - fallsBelowTargetBy)
    this.#minutesAbove = isAbove ? this.#minutesAbove + 1 : 0
    this.#minutesBelow = isBelow ? this.#minutesBelow + 1 : 0
    const wanted = this.#fitting(perSecond)
    if (this.#minutesAbove >= minutesBeforeRise && wanted > this.#capacity) this.#scaleTo(wanted)
    else if (this.#minutesBelow >= minutesBeforeFall && wanted < this.#capacity && this.#mayDecrease()) {
      this.#decreasesToday++
      this.#lastDecrease = this.#minute
      this.#scaleTo(wanted)
    }
    this.#minute++
  }

  beginCounting(): void {
    this.#countedMinutes = 0
    this.#capacityMinutes = 0
    this.#least = Number.POSITIVE_INFINITY
    this.#most = 0
    this.#units = 0
    this.#throttledUnits = 0
  }

  counted(): ScaledCapacity {
    if (this.#countedMinutes === 0) {
      return {
        averageUnits: this.#capacity,
        leastUnits: this.#capacity,
        mostUnits: this.#capacity,
        throttledShare: 0,
      }
    }
    return {
      averageUnits: this.#capacityMinutes / this.#countedMinutes,
      leastUnits: this.#least,
      mostUnits: this.#most,
      throttledShare: this.#units === 0 ? 0 : this.#throttledUnits / this.#units,
    }
  }

  #count(units: number): void {
    const given = this.#capacity * 60
    const covered = Math.min(units, given + this.#burst)
    this.#burst = Math.min(this.#burst + given - covered, this.#capacity * burstSeconds)
    this.#countedMinutes++
    this.#capacityMinutes += this.#capacity
    this.#least = Math.min(this.#least, this.#capacity)
    this.#most = Math.max(this.#most, this.#capacity)
    this.#units += units
    this.#throttledUnits += units - covered
  }

  #mayDecrease(): boolean {
    return this.#decreasesToday < freeDecreasesPerDay || this.#minute - this.#lastDecrease >= minutesPerHour
  }

  #scaleTo(units: number): void {
    this.#capacity = units
    this.#minutesAbove = 0
    this.#minutesBelow = 0
  }

  #fitting(perSecond: number): number {
    const { targetUtilisation, minUnits, maxUnits } = this.#settings
    // So that 70 / 0.7 is 100 units and not 101.
    const wanted = Math.ceil(Number((perSecond / targetUtilisation).toPrecision(12)))
    return Math.min(Math.max(wanted, minUnits), maxUnits)
  }
}

function sum(numbers: readonly number[]): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
