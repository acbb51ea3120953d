/** The part of what there is that a server may give out, by how much is asked of it and of the others. All parts add up to
 *  one. Where there is more than anybody asks for, each has what is asked of it and an even part of the rest, so that it can
 *  take more at once; where there is less, it is divided by what is asked for, and a little evenly, so that whoever is asked
 *  for the first time is not left with nothing. */
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
