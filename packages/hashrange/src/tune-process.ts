import { setFlagsFromString } from 'node:v8'

/** Suits the runtime to a server whose requests leave nothing behind. For a process that is ours: one that opens a database within
 *  itself has ways of its own. */
export function tuneProcess(): void {
  // Answers of a few kilobytes would each be memory of their own, and make the collector the busiest part of a Query: they
  // are cut from larger pools.
  Buffer.poolSize = 256 * 1024
  // Answers to writes wait for the disk, from which V8 may conclude that all answers live long, and then puts them straight among
  // what is old, where each keeps alive what it refers to until the whole heap is marked. That costs a GetItem a fifth of its
  // throughput, in some processes and not in others.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // Little is live, and the buffers of requests count towards the limit beyond which the whole heap is marked: V8 would set it so
  // low that a Query reaches it ten times a second. What is live may grow fourfold instead, which is also V8's own maximum.
  setFlagsFromString('--heap-growing-percent=300')
}
