import { closestWord } from '../closest-word.ts'
import { Mistake } from '../mistake.ts'
import { awsProfiles } from '../aws-profiles.ts'

/** The flag of commands that read or change tables on AWS, as `aws --profile` does. */
export const profileFlags = { profile: { type: 'string' } } as const

/** Where `--endpoint` and `--profile` say that tables are: a profile alone means AWS. The process runs one command, so its SDK is told
 *  by the environment, which also knows profiles with SSO and roles. Keys in the environment give way, as with the AWS CLI. */
export function placeOfProfile(endpoint: string | undefined, profile: string | undefined): string | undefined {
  if (profile === undefined) return endpoint
  const { region } = requireProfile(profile)
  process.env['AWS_PROFILE'] = profile
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']) delete process.env[name]
  if (region !== undefined && process.env['AWS_DEFAULT_REGION'] === undefined) process.env['AWS_REGION'] ??= region
  return endpoint ?? 'aws'
}

/** A profile of the AWS configuration files, or a mistake that names the one that was meant. */
export function requireProfile(profile: string): ReturnType<typeof awsProfiles>[number] {
  const profiles = awsProfiles()
  const found = profiles.find(({ name }) => name === profile)
  if (found !== undefined) return found
  const meant = closestWord(
    profile,
    profiles.map(({ name }) => name),
  )
  throw new Mistake(
    `There is no AWS profile "${profile}".${meant === undefined ? ' aws configure list-profiles lists them.' : ` Did you mean "${meant}"?`}`,
  )
}
