const mostInSlice = 8000

/** A long list in parts, each in a task of its own: a page of small items has tens of thousands, and the window would stand
 *  still while all of them are worked on. */
export async function* inSlices<Element>(elements: readonly Element[]): AsyncGenerator<readonly Element[]> {
  if (elements.length <= mostInSlice) return yield elements
  for (let start = 0; start < elements.length; start += mostInSlice) {
    await new Promise((resolve) => setTimeout(resolve))
    yield elements.slice(start, start + mostInSlice)
  }
}
