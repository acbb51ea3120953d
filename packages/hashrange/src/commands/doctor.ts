import { checkClient, regionOf } from '../doctor/check-client.ts'
import { checkConfigFile } from '../doctor/check-config-file.ts'
import { checkFolder, checkNode } from '../doctor/check-machine.ts'
import { checkServer } from '../doctor/check-server.ts'
import { checkTables } from '../doctor/check-tables.ts'
import { findingText, type Finding } from '../doctor/finding.ts'
import { packageVersion } from '../package-version.ts'
import { Mistake } from '../mistake.ts'
import { readFlags } from './read-flags.ts'
import { serverFlags } from './trust-issuer.ts'

const help = `hashrange doctor: looks for what is wrong with this setup: Node.js, the data folder, the configuration file, the region,
credentials and endpoint that clients use, the server, and its clock. It changes nothing.

  --endpoint http://127.0.0.1:8000   the server to look for; by default the one in AWS_ENDPOINT_URL_DYNAMODB or
                                     AWS_ENDPOINT_URL, if it is set
  --path .hashrange                  the data folder (HASHRANGE_PATH)
  --ca FILE                          trust servers with a certificate from this issuer (PEM)

The exit code is 1 if there is a problem.`

const flags = {
  endpoint: { type: 'string' },
  path: { type: 'string' },
  ...serverFlags,
  help: { type: 'boolean', short: 'h' },
} as const

/** Runs `hashrange doctor`, and returns its exit code: 1 if there is a problem, 2 for a mistake. */
export async function runDoctor(words: readonly string[]): Promise<number> {
  try {
    const values = readFlags('doctor', words, flags)
    if (values.help === true) {
      console.log(help)
      return 0
    }
    return await examine(values)
  } catch (error) {
    console.error(`hashrange: ${error instanceof Error ? error.message : String(error)}`)
    return error instanceof Mistake ? 2 : 1
  }
}

async function examine(values: {
  readonly endpoint?: string | undefined
  readonly path?: string | undefined
}): Promise<number> {
  const { env } = process
  const endpoint =
    values.endpoint ?? (env['AWS_ENDPOINT_URL_DYNAMODB'] || env['AWS_ENDPOINT_URL'] || 'http://127.0.0.1:8000')
  const { platform, arch, versions } = process
  console.log(`hashrange ${packageVersion()} on ${platform} ${arch}\n`)
  let problems = 0
  const tell = (findings: readonly Finding[]): boolean => {
    for (const finding of findings) console.log(findingText(finding))
    const count = findings.filter(({ kind }) => kind === 'problem').length
    problems += count
    return count === 0
  }
  tell([checkNode(versions.node), ...checkFolder(values.path ?? (env['HASHRANGE_PATH'] || '.hashrange'))])
  tell(await checkConfigFile(env['HASHRANGE_CONFIG'] || undefined))
  const isConfigured = tell(checkClient(env, endpoint))
  const answers = tell(await checkServer(endpoint, Date.now))
  if (isConfigured && answers) tell([await checkTables(endpoint, regionOf(env))])
  console.log(
    `\n${problems === 0 ? 'No problems found.' : `${problems} ${problems === 1 ? 'problem' : 'problems'} found.`}`,
  )
  return problems === 0 ? 0 : 1
}
