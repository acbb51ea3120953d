/** How long what is kept, and in what detail. ON DISK: `code` is part of the keys. Like CloudWatch, the older the coarser. */
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

/** A stretch of time, and the finest resolution in which all of it is kept. */
export interface Stretch {
  readonly resolution: Resolution
  readonly fromMs: number
  readonly toMs: number
}

/** Which resolution tells about which part of a time, the oldest first. Stretches meet at whole days, so that no period
 *  lies in two of them. */
export function stretchesOf(fromMs: number, toMs: number, nowMs: number): readonly Stretch[] {
  const stretches: Stretch[] = []
  let endMs = toMs
  for (const resolution of resolutions) {
    const keptFromMs = Math.ceil((nowMs - resolution.keptMs) / dayMs) * dayMs
    const startMs = Math.max(fromMs, keptFromMs)
    if (startMs < endMs) {
      stretches.unshift({ resolution, fromMs: startMs, toMs: endMs })
      endMs = startMs
    }
  }
  return stretches
}
