/** How long data is kept, and in what detail. ON DISK: `code` is part of the keys. As in CloudWatch, older data is
 *  coarser. */
export interface Resolution {
  readonly code: number
  readonly periodMs: number
  readonly keptMs: number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The finest first. */
export const resolutions: readonly Resolution[] = [
  { code: 0, periodMs: minuteMs, keptMs: 3 * dayMs },
  { code: 1, periodMs: 5 * minuteMs, keptMs: 15 * dayMs },
  { code: 2, periodMs: hourMs, keptMs: 63 * dayMs },
  { code: 3, periodMs: dayMs, keptMs: 455 * dayMs },
]

export const coarsest = resolutions[resolutions.length - 1] ?? { code: 3, periodMs: dayMs, keptMs: 455 * dayMs }

/** A period of time, and the resolution in which it is read. */
export interface Stretch {
  readonly resolution: Resolution
  readonly fromMs: number
  readonly toMs: number
}

/** Which resolution to use for which part of a time range, the oldest part first. It is the coarsest one whose
 *  periods fit into whole periods of `periodMs`: to show a week by the hour, nobody should have to read ten thousand
 *  minutes. If only a coarser one is still kept, it is that. Partial periods at the ends are read in finer
 *  resolution. No period is in two stretches. */
export function stretchesOf(
  fromMs: number,
  toMs: number,
  nowMs: number,
  periodMs: number = minuteMs,
): readonly Stretch[] {
  const stretches: Stretch[] = []
  let endMs = toMs
  for (const [position, resolution] of resolutions.entries()) {
    // Whole days, so that the periods of one resolution end where those of the next begin.
    const keptFromMs = Math.ceil((nowMs - resolution.keptMs) / dayMs) * dayMs
    const startMs = Math.max(fromMs, keptFromMs)
    if (startMs >= endMs) continue
    const fitting = resolutions.filter((one, at) => at >= position && periodMs % one.periodMs === 0)
    stretches.unshift(...inWholePeriods(startMs, endMs, fitting.length === 0 ? [resolution] : fitting))
    endMs = startMs
  }
  return stretches
}

/** As much as possible in the last, coarsest resolution, and the ends in the finer ones. */
function inWholePeriods(fromMs: number, toMs: number, fitting: readonly Resolution[]): readonly Stretch[] {
  const resolution = fitting.at(-1)
  if (resolution === undefined || fromMs >= toMs) return []
  if (fitting.length === 1) return [{ resolution, fromMs, toMs }]
  const finer = fitting.slice(0, -1)
  const wholeFromMs = Math.ceil(fromMs / resolution.periodMs) * resolution.periodMs
  const wholeToMs = Math.floor(toMs / resolution.periodMs) * resolution.periodMs
  if (wholeFromMs >= wholeToMs) return inWholePeriods(fromMs, toMs, finer)
  return [
    ...inWholePeriods(fromMs, wholeFromMs, finer),
    { resolution, fromMs: wholeFromMs, toMs: wholeToMs },
    ...inWholePeriods(wholeToMs, toMs, finer),
  ]
}
