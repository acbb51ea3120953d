/** Requests in progress at a time. */
const concurrency = 10

/** Several at a time. */
export async function each<T>(values: readonly T[], work: (value: T) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    for (let value = values[next++]; value !== undefined; value = values[next++]) await work(value)
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, values.length) }, worker))
}
