// Loaded into a server before its own code (node --import): its clock on the wall is off by what a file says, in milliseconds, and jumps
// when the file changes. Nothing else that tells the time is touched, as on a machine whose clock somebody sets.
import { readFileSync } from 'node:fs'

const file = new URL(import.meta.url).searchParams.get('file') ?? ''
const RealDate = Date
let shiftMs = 0

function look() {
  const read = Number(readFileSync(file, 'utf8'))
  if (Number.isFinite(read)) shiftMs = read
}

look()
setInterval(look, 20).unref()

globalThis.Date = class Date extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + shiftMs)
    else super(...parts)
  }

  static now() {
    return RealDate.now() + shiftMs
  }
}
