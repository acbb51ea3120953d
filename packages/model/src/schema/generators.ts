import type { DefaultContext } from './attribute.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A new ULID: `s.ulid().default(ulid)`. */
export function ulid({ now, random }: DefaultContext): string {
  let time = now().getTime()
  let text = ''
  for (let i = 0; i < 10; i++) {
    text = alphabet.charAt(time % 32) + text
    time = Math.floor(time / 32)
  }
  for (let i = 0; i < 16; i++) text += alphabet.charAt(Math.floor(random() * 32))
  return text
}

/** A new random UUID: `s.uuid().default(uuid)`. */
export function uuid({ random }: DefaultContext): string {
  const hex = (count: number): string => {
    let text = ''
    for (let i = 0; i < count; i++) text += Math.floor(random() * 16).toString(16)
    return text
  }
  const variant = '89ab'.charAt(Math.floor(random() * 4))
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(12)}`
}

/** The present time: `s.iso().default(now)`. */
export function now(context: DefaultContext): Date {
  return context.now()
}

/** A TTL this many seconds from now: `s.ttl().default(secondsFromNow(3600))`. */
export function secondsFromNow(seconds: number): (context: DefaultContext) => number {
  return (context) => Math.floor(context.now().getTime() / 1000) + seconds
}
