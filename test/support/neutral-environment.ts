import { readFileSync } from 'node:fs'

/** Takes out of the environment what would let a test pass for one person and fail for another: their AWS account and profile, their
 *  PostgreSQL, their proxy, and the settings of a server they run. What is started from here does not inherit it either.
 *  Variables that only tests know, such as seeds and numbers of rounds, stay. So does the AWS account, if the tests are to run there. */
export function neutralize(environment: NodeJS.ProcessEnv): void {
  const settings = settingsOfTheCommand()
  const onAws = environment['HASHRANGE_TEST_ENDPOINT'] === 'aws'
  for (const name of Object.keys(environment)) {
    if (onAws && name.startsWith('AWS_')) continue
    if (settings.has(name) || personal.test(name)) delete environment[name]
  }
  if (onAws) return
  // Files in the home folder, and the service that tells a machine in the cloud who it is.
  environment['AWS_CONFIG_FILE'] = '/dev/null'
  environment['AWS_SHARED_CREDENTIALS_FILE'] = '/dev/null'
  environment['AWS_EC2_METADATA_DISABLED'] = 'true'
}

const personal = /^(AWS_|PG[A-Z]+$|(NO|FORCE)_COLOR$|NODE_USE_ENV_PROXY$)|_proxy$/i

/** The help names them all. */
function settingsOfTheCommand(): ReadonlySet<string> {
  const help = readFileSync(new URL('../../packages/hashrange/src/help-text.ts', import.meta.url), 'utf8')
  return new Set(['HASHRANGE_ENDPOINT', ...(help.match(/HASHRANGE_[A-Z_]+/g) ?? [])])
}
