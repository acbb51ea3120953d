import type { Randomness } from '../../support/randomness.ts'
import { hostileNames } from './any-model-document.ts'

/** A model file that was right, with some of it cut out, doubled or replaced. Most of them do not compile. */
export function anyModelSource(random: Randomness, right: string): string {
  let source = right
  for (let change = random.between(1, 3); change > 0; change--) source = changed(random, source)
  return source
}

function changed(random: Randomness, source: string): string {
  const at = random.between(0, source.length)
  switch (random.between(0, 5)) {
    case 0:
      return source.slice(0, at)
    case 1:
      return source.slice(0, at) + source.slice(at + random.between(1, 40))
    case 2:
      return source.slice(0, at) + random.oneOf(fragments) + source.slice(at)
    case 3:
      return source + source
    default:
      // What stands between quotes is a name, a template or a value: this is where people make mistakes.
      return replacedNth(source, random.between(0, 60), random.oneOf(hostileNames))
  }
}

function replacedNth(source: string, position: number, text: string): string {
  let seen = 0
  return source.replaceAll(/'[^'\n]*'/g, (quoted) => (seen++ === position ? JSON.stringify(text) : quoted))
}

const fragments = [
  '\u0000',
  '`',
  '/*',
  '}',
  '(',
  "throw new Error('no')\n",
  'throw undefined\n',
  'process.exit(3)\n',
  'export default 1\n',
  "import './missing.ts'\n",
  'export const again = 1\n',
  'await Promise.reject(1)\n',
]
