const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUV'
const pairs = Array.from({ length: 1024 }, (_, index) => character(index >>> 5) + character(index))
const block = 1 << 20

const processPart = randomText(26)
let blockPart = ''
let counter = block

/** An id in the service's format, 52 characters of base 32. It must be unique, not secret: a random part that changes
 *  every million requests, a counter, and a random part of the process. */
export function nextRequestId(): string {
  if (counter === block) {
    counter = 0
    blockPart = randomText(22)
  }
  const id = blockPart + pairs[counter >>> 10] + pairs[counter & 1023] + processPart
  counter++
  return id
}

function character(value: number): string {
  return alphabet.charAt(value & 31)
}

function randomText(length: number): string {
  let text = ''
  for (let index = 0; index < length; index++) text += character(Math.floor(Math.random() * 32))
  return text
}
