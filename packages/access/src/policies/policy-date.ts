/** A moment in a policy or a request, in milliseconds: a date of ISO 8601, or seconds since 1970. Nothing if it is
 *  neither. */
export function readPolicyDate(text: string): number | undefined {
  if (/^\d{1,19}$/.test(text)) return Number(text) * 1000
  const parts = isoDate.exec(text)
  if (parts === null) return undefined
  const [, year = '', month = '1', day = '1', hour = '0', minute = '0', second = '0', fraction = '', zone] = parts
  const fields = [month, day, hour, minute, second].map(Number)
  if (!fields.every((field, index) => field >= (index < 2 ? 1 : 0) && field <= (largest[index] ?? 0)))
    return undefined
  const date = new Date(0)
  date.setUTCFullYear(Number(year), (fields[0] ?? 1) - 1, fields[1] ?? 1)
  date.setUTCHours(fields[2] ?? 0, fields[3] ?? 0, fields[4] ?? 0, Number(fraction.padEnd(3, '0').slice(0, 3)))
  const atMs = date.getTime() - (zone === undefined ? 0 : zoneOffsetMs(zone))
  // Years that no calendar here reaches are before all others, or after them.
  return Number.isNaN(atMs) ? Number(year) * Number.POSITIVE_INFINITY : atMs
}

const isoDate =
  /^(-?\d{1,9})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:t(?:(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,9}))?)?)?)?)?(z|[+-]\d\d(?::?\d\d)?)?$/i

const largest = [12, 31, 23, 59, 59]

function zoneOffsetMs(zone: string): number {
  if (/^z$/i.test(zone)) return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', '') || '0')
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}
