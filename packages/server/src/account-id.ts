import { createHash } from 'node:crypto'

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The account of an access key: a key of twelve digits names its account, a key in AWS's format contains it, and any
 *  other key has an account of its own. */
export function accountIdOf(accessKeyId: string): string {
  if (/^\d{12}$/.test(accessKeyId)) return accessKeyId
  return accountIdInAwsKey(accessKeyId) ?? accountIdFromHash(accessKeyId)
}

/** AWS's keys are four letters of kind and 80 bits in base 32, of which bits 1 to 40 are the account. */
function accountIdInAwsKey(accessKeyId: string): string | undefined {
  if (!/^(AKIA|ASIA)[A-Z2-7]{16}$/.test(accessKeyId)) return undefined
  let bits = 0n
  for (const character of accessKeyId.slice(4)) bits = (bits << 5n) | BigInt(base32Alphabet.indexOf(character))
  const account = (bits >> 39n) & 0xff_ffff_ffffn
  return account < 1_000_000_000_000n ? account.toString().padStart(12, '0') : undefined
}

function accountIdFromHash(accessKeyId: string): string {
  const number = createHash('sha256').update(accessKeyId).digest().readUIntBE(0, 6) % 1_000_000_000_000
  return number.toString().padStart(12, '0')
}
