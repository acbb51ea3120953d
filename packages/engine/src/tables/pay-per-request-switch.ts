import { limitExceeded } from './invalid-parameter.ts'
import { calendarText } from './change-throughput.ts'

const dayMs = 86_400_000
const switchesADay = 4

/** The switches to PAY_PER_REQUEST of the last 24 hours, with one more now; rejected if that would be the fifth. */
export function payPerRequestSwitch(switchedMs: readonly number[], nowMs: number): readonly number[] {
  const recent = switchedMs.filter((atMs) => nowMs - atMs < dayMs)
  const [first = nowMs] = recent
  if (recent.length < switchesADay) return [...recent, nowMs]
  const last = recent[recent.length - 1] ?? nowMs
  throw limitExceeded(
    `Subscriber limit exceeded: Update to PayPerRequest mode are limited to ${switchesADay} times in 1 day(s). Last update at ${calendarText(last)}. Next update can be made at ${calendarText(first + dayMs)}`,
  )
}
