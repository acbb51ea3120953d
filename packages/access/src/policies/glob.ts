/** A pattern with wildcards, cut at each `*`: `a*b?c` is `["a", "b\uFFFFc"]`. What stands between is to be found in the
 *  text in this order; the first piece begins it and the last one ends it. */
export type Glob = readonly string[]

/** Stands for `?` in a piece: U+FFFF is no character, and no policy holds it. */
export const anyOne = '\uFFFF'

/** Takes time proportional to the text, whatever the pattern: since a `*` may stand for anything, the first place where a
 *  piece fits is as good as any other, and nothing is ever tried again. */
export function matchesGlob(glob: Glob, text: string): boolean {
  const first = glob[0] ?? ''
  const lastIndex = glob.length - 1
  if (lastIndex === 0) return text.length === first.length && fitsAt(first, text, 0)
  const last = glob[lastIndex] ?? ''
  const end = text.length - last.length
  if (end < first.length || !fitsAt(first, text, 0) || !fitsAt(last, text, end)) return false
  let from = first.length
  for (let index = 1; index < lastIndex; index++) {
    const piece = glob[index] ?? ''
    if (piece === '') continue
    const at = findPiece(piece, text, from, end)
    if (at < 0) return false
    from = at + piece.length
  }
  return true
}

function fitsAt(piece: string, text: string, at: number): boolean {
  if (!piece.includes(anyOne)) return text.startsWith(piece, at)
  for (let index = 0; index < piece.length; index++) {
    const wanted = piece.charCodeAt(index)
    if (wanted !== 0xffff && wanted !== text.charCodeAt(at + index)) return false
  }
  return true
}

/** The first place from `from` on where a piece fits before `end`; -1 if there is none. */
function findPiece(piece: string, text: string, from: number, end: number): number {
  const last = end - piece.length
  if (last < from) return -1
  if (!piece.includes(anyOne)) {
    const at = text.indexOf(piece, from)
    return at <= last ? at : -1
  }
  if ((end - from) * piece.length > 4096) return findInBits(piece, text, from, end)
  for (let at = from; at <= last; at++) if (fitsAt(piece, text, at)) return at
  return -1
}

/** For long pieces with `?`: all the places where the piece may have begun are followed at once, 32 to a word. */
function findInBits(piece: string, text: string, from: number, end: number): number {
  const words = (piece.length + 31) >>> 5
  const masks = masksOf(piece, words)
  const anywhere = masks.get(0xffff) ?? new Int32Array(words)
  const state = new Int32Array(words)
  const done = 1 << ((piece.length - 1) & 31)
  for (let at = from; at < end; at++) {
    const mask = masks.get(text.charCodeAt(at)) ?? anywhere
    let carry = 1
    for (let word = 0; word < words; word++) {
      const before = state[word] ?? 0
      state[word] = ((before << 1) | carry) & (mask[word] ?? 0)
      carry = before >>> 31
    }
    if (((state[words - 1] ?? 0) & done) !== 0) return at - piece.length + 1
  }
  return -1
}

/** For each character, the places of the piece where it fits; under U+FFFF those where any does. */
function masksOf(piece: string, words: number): Map<number, Int32Array> {
  const masks = new Map<number, Int32Array>([[0xffff, new Int32Array(words)]])
  for (let index = 0; index < piece.length; index++) {
    const code = piece.charCodeAt(index)
    if (!masks.has(code)) masks.set(code, new Int32Array(words))
  }
  for (let index = 0; index < piece.length; index++) {
    const code = piece.charCodeAt(index)
    const bit = 1 << (index & 31)
    const word = index >>> 5
    const fitting = code === 0xffff ? masks.values() : [masks.get(code)]
    for (const mask of fitting) if (mask !== undefined) mask[word] = (mask[word] ?? 0) | bit
  }
  return masks
}
