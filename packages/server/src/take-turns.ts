/** Runs `most` pieces of work at once, while the others wait in order. Whoever waits for a result has seen it before
 *  the next piece starts. */
export function takeTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let underWay = 0
  const next = (): void => {
    const begin = waiting.shift()
    if (begin === undefined) underWay--
    else begin()
  }
  return async (work) => {
    if (underWay < most) underWay++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      setImmediate(next)
    }
  }
}
