import { incompleteSignature, invalidSignature, type PresentedSignature } from '@hashrange/server'

/** How far the clock of a client may be off. DynamoDB says "15 min." in its refusals, other services 5. */
const skewMinutes = 15
const skewMs = skewMinutes * 60_000
const longestSeconds = 604_800

export interface RequestTime {
  /** `20150830T123600Z`: what is signed. */
  readonly iso: string
  readonly ms: number
}

/** The time that a request says it was signed at. */
export function readRequestTime({ time }: Pick<PresentedSignature, 'time'>): RequestTime {
  const ms = basicIsoMs(time)
  if (ms !== undefined) return { iso: time, ms }
  // `Date` may be written as HTTP does: `Mon, 09 Sep 2011 23:36:00 GMT`.
  const httpMs = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(time)
    ? Date.parse(time)
    : Number.NaN
  if (!Number.isNaN(httpMs)) return { iso: basicIso(httpMs), ms: httpMs }
  throw incompleteSignature(
    `Date must be in ISO-8601 'basic format'. Got '${time}'. See http://en.wikipedia.org/wiki/ISO_8601`,
  )
}

/** Refuses what was signed too long ago, or is yet to be signed. */
export function assertCurrent(
  { iso, ms }: RequestTime,
  { query }: Pick<PresentedSignature, 'query'>,
  nowMs: number,
): void {
  if (ms - nowMs > skewMs) {
    throw invalidSignature(
      `Signature not yet current: ${iso} is still later than ${basicIso(nowMs + skewMs)} (${basicIso(nowMs)} + ${skewMinutes} min.)`,
    )
  }
  const expires = query?.expires ?? null
  if (expires !== null) assertUnexpired(ms, expires, nowMs)
  else if (nowMs - ms > skewMs) {
    throw invalidSignature(
      `Signature expired: ${iso} is now earlier than ${basicIso(nowMs - skewMs)} (${basicIso(nowMs)} - ${skewMinutes} min.)`,
    )
  }
}

function assertUnexpired(signedAtMs: number, expires: string, nowMs: number): void {
  if (!/^\d{1,9}$/.test(expires)) throw incompleteSignature('X-Amz-Expires should be a number')
  if (Number(expires) > longestSeconds) {
    throw incompleteSignature(
      `X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than ${longestSeconds} seconds`,
    )
  }
  const untilMs = signedAtMs + Number(expires) * 1000
  if (untilMs < nowMs) {
    throw invalidSignature(`Signature expired: ${basicIso(nowMs)} is now later than ${basicIso(untilMs)}`)
  }
}

function basicIsoMs(text: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second] = match
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(ms) ? undefined : ms
}

export function basicIso(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, '')
}
