interface State {
  readonly compacted?: object
  readonly failure?: string
}

/** Has the server compact its data over and over, until it is gone. Answers how often it came to an end. */
export async function keepCompacting(port: number, isOver: () => boolean): Promise<number> {
  const root = `http://127.0.0.1:${port}/_hashrange/compactions`
  let count = 0
  while (!isOver()) {
    const begun = await answerOf<{ readonly id: string }>(root, 'POST')
    if (begun === undefined) return count
    for (;;) {
      const state = await answerOf<State>(`${root}/${begun.id}`, 'GET')
      if (state === undefined) return count
      // Ctrl+C makes it give up.
      if (state.failure !== undefined && !isOver()) throw new Error(`a compaction failed: ${state.failure}`)
      if (state.compacted !== undefined) count++
      if (state.compacted !== undefined || state.failure !== undefined) break
    }
  }
  return count
}

/** Nothing if the server is gone. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
async function answerOf<Answer>(url: string, method: string): Promise<Answer | undefined> {
  try {
    const response = await fetch(url, { method })
    const answer: Answer = JSON.parse(await response.text())
    return answer
  } catch {
    return undefined
  }
}
