/** Does work for each, this many at a time. Stops at the first error, and when the signal says so. */
export async function inParallel<Element>(
  elements: Iterable<Element>,
  width: number,
  signal: AbortSignal,
  work: (element: Element) => Promise<void>,
): Promise<void> {
  const rest = elements[Symbol.iterator]()
  let isStopped = false
  const worker = async (): Promise<void> => {
    for (;;) {
      signal.throwIfAborted()
      if (isStopped) return
      const next = rest.next()
      if (next.done === true) return
      try {
        await work(next.value)
      } catch (error) {
        isStopped = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
}
