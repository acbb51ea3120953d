/** Full jitter: many that were throttled together must not come back together. */
export async function pauseAfter(attempt: number): Promise<void> {
  const pauseMs = Math.min(10_000, 25 * 2 ** attempt) * Math.random()
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
}
