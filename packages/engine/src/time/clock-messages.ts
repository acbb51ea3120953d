import { hostname } from 'node:os'

/** All messages about clocks, for the operator of the server. */

export function serverOffMessage(aheadMs: number): string {
  return `The clock of ${thisServer()} is ${describeDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's. hashrange uses the database's clock, so requests are not affected, but logs and clients on this machine are. Correct the clock.`
}

export function serverRightMessage(): string {
  return `The clock of ${thisServer()} agrees with the database's again.`
}

export function refusedMessage(aheadMs: number, maxMs: number, wallMs: number): string {
  const offMs = Math.abs(aheadMs)
  return [
    `The clock of ${thisServer()} is ${describeDuration(offMs)} ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's`,
    ` (${isoSecond(wallMs)} here, ${isoSecond(wallMs - aheadMs)} there). At most ${describeDuration(maxMs)} is allowed.`,
  ].join('')
}

export function notCredibleMessage(atMs: number, isElsewhere: boolean): string {
  return `The clock of ${whose(isElsewhere)} says ${isoSecond(atMs)}, which cannot be right. Correct it, then start again.`
}

export function setForwardMessage(isElsewhere: boolean, byMs: number): string {
  return `The clock of ${whose(isElsewhere)} was set forward by ${describeDuration(byMs)}. In case that was a mistake, hashrange waits 15 minutes before it uses the new time to expire items and remove old stream records.`
}

export function setBackMessage(isElsewhere: boolean, byMs: number): string {
  return `The clock of ${whose(isElsewhere)} was set back by ${describeDuration(byMs)}. For times that occur twice, point-in-time recovery restores the second occurrence.`
}

export function behindDataMessage(isElsewhere: boolean, byMs: number): string {
  return `The clock of ${whose(isElsewhere)} is ${describeDuration(byMs)} behind the newest change in the data: it was ahead when that was written, or it is wrong now. For times that occur twice, point-in-time recovery restores the second occurrence.`
}

function whose(isElsewhere: boolean): string {
  return isElsewhere ? `the database (as seen by ${thisServer()})` : thisServer()
}

/** Identifies one of many servers. */
function thisServer(): string {
  return `this server (${hostname()}, process ${process.pid})`
}

function isoSecond(atMs: number): string {
  const date = new Date(atMs)
  return Number.isNaN(date.getTime()) ? `${atMs} ms` : `${date.toISOString().slice(0, 19)}Z`
}

/** The two largest units: `1 hour 30 minutes`. */
function describeDuration(ms: number): string {
  let seconds = Math.round(ms / 1000)
  const parts: string[] = []
  for (const [unit, size] of units) {
    const count = Math.floor(seconds / size)
    if (count === 0) continue
    parts.push(`${count} ${unit}${count === 1 ? '' : 's'}`)
    seconds -= count * size
  }
  return parts.length === 0 ? 'less than a second' : parts.slice(0, 2).join(' ')
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const
