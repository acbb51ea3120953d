// SHA-256 and HMAC in plain JavaScript: browsers have their own only where a page comes over HTTPS or from this machine, and a server may be reached by its
// address on a network.

const constants = firstBits(64, 1 / 3)
const start = firstBits(8, 1 / 2)

/** The first 32 bits of the fractional parts of roots of the first primes. */
function firstBits(count: number, power: number): Uint32Array {
  const bits: number[] = []
  for (let candidate = 2; bits.length < count; candidate++) {
    let isPrime = true
    for (let factor = 2; factor * factor <= candidate; factor++) if (candidate % factor === 0) isPrime = false
    if (isPrime) bits.push((candidate ** power % 1) * 2 ** 32)
  }
  return Uint32Array.from(bits, Math.floor)
}

export function sha256(message: Uint8Array): Uint8Array {
  const hash = start.slice()
  const words = new Uint32Array(64)
  const padded = pad(message)
  const view = new DataView(padded.buffer)
  for (let at = 0; at < padded.length; at += 64) {
    for (let index = 0; index < 16; index++) words[index] = view.getUint32(at + index * 4)
    for (let index = 16; index < 64; index++) {
      const early = wordAt(words, index - 15)
      const late = wordAt(words, index - 2)
      const small = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)
      const large = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10)
      words[index] = wordAt(words, index - 16) + small + wordAt(words, index - 7) + large
    }
    compress(hash, words)
  }
  const digest = new Uint8Array(32)
  const out = new DataView(digest.buffer)
  for (const [index, word] of hash.entries()) out.setUint32(index * 4, word)
  return digest
}

export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(64)
  block.set(key.length > 64 ? sha256(key) : key)
  const inner = sha256(
    join(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  )
  return sha256(
    join(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  )
}

function compress(hash: Uint32Array, words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash
  for (let index = 0; index < 64; index++) {
    const large = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const choice = (e & f) ^ (~e & g)
    const first = (h + large + choice + wordAt(constants, index) + wordAt(words, index)) | 0
    const small = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + small + majority) | 0]
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) hash[index] = wordAt(hash, index) + word
}

/** One bit, zeros, and the length in bits, up to a whole number of blocks. */
function pad(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29))
  view.setUint32(padded.length - 4, (message.length << 3) >>> 0)
  return padded
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

function wordAt(words: Uint32Array, index: number): number {
  return words[index] ?? 0
}

function join(one: Uint8Array, other: Uint8Array): Uint8Array {
  const joined = new Uint8Array(one.length + other.length)
  joined.set(one)
  joined.set(other, one.length)
  return joined
}
