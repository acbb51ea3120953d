/** The part of what there is that a server may give out, by how much is asked of it and of the others. All parts add
 *  up to one. If there is more capacity than requests need, each server gets what its own requests need and an even
 *  part of the rest, so that it can take more at once. If there is less, most of it is divided in proportion to what
 *  requests need. A little is divided evenly, so that a server with its first request is not left with nothing. */
export function shareOf(
  demand: number,
  others: readonly number[],
  unitsPerSecond: number,
  present = others.length + 1,
): number {
  const servers = others.length + 1
  const total = others.reduce((sum, other) => sum + other, demand)
  if (total < unitsPerSecond) {
    return (demand + (unitsPerSecond - total) / Math.max(servers, present)) / unitsPerSecond
  }
  if (servers === 1) return 1
  if (total <= 0) return 1 / servers
  return evenShare / servers + (1 - evenShare) * (demand / total)
}

const evenShare = 0.1
