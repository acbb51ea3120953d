import { newBearerToken, SecretBox } from '@hashrange/access/closed'
import { existsSync } from 'node:fs'
import { readSecretKeyFlags } from '../auth/auth-flags.ts'
import { secretKeyPath, secretKeySource } from '../auth/secret-key-source.ts'
import { Mistake } from '../mistake.ts'
import { readFlags } from './read-flags.ts'

const help = `hashrange token: prints a token for what a closed server has besides the AWS APIs: metrics, reports, snapshots, verification,
compaction and the workbench. Send it as "Authorization: Bearer TOKEN". Commands that talk to a server send the
token in HASHRANGE_TOKEN.

  --path .hashrange        HASHRANGE_PATH             the server's data folder, which holds its secret key
  --secret-key-file FILE   HASHRANGE_SECRET_KEY_FILE  the file that holds the secret key, if it is elsewhere
                           HASHRANGE_SECRET_KEY       the secret key itself
  --hours 12                                          how long the token is valid; at most 8760

Anyone who has the secret key can make a token, and read all secrets in the store.`

const flags = {
  path: { type: 'string' },
  'secret-key-file': { type: 'string' },
  hours: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Runs `hashrange token`, and returns its exit code: 1 for a failure, 2 for a mistake. */
export async function runToken(words: readonly string[]): Promise<number> {
  try {
    console.log(await token(words))
    return 0
  } catch (error) {
    console.error(`hashrange: ${error instanceof Error ? error.message : String(error)}`)
    return error instanceof Mistake ? 2 : 1
  }
}

async function token(words: readonly string[]): Promise<string> {
  const values = readFlags('token', words, flags)
  if (values.help === true) return help
  const hours = values.hours ?? '12'
  if (!/^\d{1,4}$/.test(hours) || Number(hours) < 1 || Number(hours) > 8760) {
    throw new Mistake(`--hours must be a whole number from 1 to 8760, not "${hours}".`)
  }
  const setting = (name: string): string | undefined => process.env[name] || undefined
  const secrets = readSecretKeyFlags(values, setting)
  if ('mistake' in secrets) throw new Mistake(secrets.mistake)
  const path = values.path ?? setting('HASHRANGE_PATH') ?? '.hashrange'
  const isGiven = secrets.secretKey !== undefined || secrets.secretKeyFile !== undefined
  // A new key would open nothing.
  if (!isGiven && !existsSync(secretKeyPath(path))) {
    throw new Mistake(
      `There is no secret key in ${path}. Name the data folder of a server that was started with --auth (--path), or its key (--secret-key-file).`,
    )
  }
  const key = await secretKeySource({ kind: 'lmdb', path }, secrets)(false)
  return newBearerToken(new SecretBox(key), Date.now() + Number(hours) * 3_600_000)
}
