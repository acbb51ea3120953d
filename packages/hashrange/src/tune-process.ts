import { setFlagsFromString } from 'node:v8'

/** Tunes the runtime for a server whose requests leave nothing behind. Only for a process that is ours: a program
 *  that opens a database has its own needs. */
export function tuneProcess(): void {
  // Responses of a few kilobytes would each be separate allocations, and make the garbage collector the busiest part
  // of a Query: they are cut from larger pools.
  Buffer.poolSize = 256 * 1024
  // Responses to writes wait for the disk, from which V8 may conclude that all responses live long, and then
  // allocates them in the old generation, where each keeps alive what it refers to until the whole heap is marked.
  // That costs a GetItem a fifth of its throughput, in some processes and not in others.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // Little is live, and the buffers of requests count towards the limit beyond which the whole heap is marked: V8
  // would set it so low that a Query reaches it ten times a second. Instead, the live part may grow fourfold, which
  // is also V8's own maximum.
  setFlagsFromString('--heap-growing-percent=300')
}
