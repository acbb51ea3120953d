/** Asks again for as long as there is no server to answer. What the server answers, refusals too, is passed on. */
export async function persist<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const deadlineMs = Date.now() + patienceMs
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (isAnswer(error) || Date.now() > deadlineMs) throw error
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
}

const patienceMs = 30_000

/** A server that is stopping answers 503, or leaves in the middle of an answer. */
function isAnswer(error: unknown): boolean {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
  return status !== undefined && status >= 400 && status < 500
}
