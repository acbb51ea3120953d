import { activityCells, stallOffset } from './activity.ts'

/** The code of the watching thread. It is a string because a thread starts from a file, and this file is a different
 *  one in the sources, in tests and in what is shipped. While the loop is blocked, nothing that goes through it is
 *  written, so the thread writes to standard error itself. */
export const watchdogThread = `
'use strict'
const { workerData } = require('node:worker_threads')
const { writeSync } = require('node:fs')
const { shared, names, lookMs, stallMs, hungMs } = workerData
const cells = new Int32Array(shared)
let beats = cells[${activityCells.beats}]
let beatMs = performance.now()
let lookedMs = beatMs
let hasTold = false

setInterval(() => {
  const nowMs = performance.now()
  // A thread that was late itself has been stopped along with the rest: by a debugger, a closed lid, or a busy
  // machine.
  const wasStopped = nowMs - lookedMs > 3 * lookMs
  lookedMs = nowMs
  if (cells[${activityCells.beats}] !== beats || wasStopped) {
    beats = cells[${activityCells.beats}]
    beatMs = nowMs
    hasTold = false
    return
  }
  const stillMs = nowMs - beatMs
  if (stillMs < stallMs / 2) return
  const operation = cells[${activityCells.operation}]
  if (cells[${activityCells.stalledIn}] === 0) cells[${activityCells.stalledIn}] = operation + ${stallOffset}
  if (stillMs < hungMs || hasTold) return
  hasTold = true
  const where = names[operation] === undefined ? '' : ' in ' + names[operation]
  const still = 'nothing has been answered for ' + (stillMs / 1000).toFixed(1) + ' s: the event loop is blocked' + where
  try {
    writeSync(2, 'hashrange: ' + still + '. If it does not recover, restart hashrange and report this.\\n')
  } catch {}
}, lookMs)
`
