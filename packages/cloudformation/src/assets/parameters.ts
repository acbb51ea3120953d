/** The version of CDK's bootstrap whose parts are here: a bucket of assets, and nothing to deploy with but the caller's own
 *  credentials. */
const bootstrapVersion = '30'

/** A parameter of Systems Manager. The versions of CDK's bootstrap stacks are the only ones. */
export function parameterAt(name: string): string | undefined {
  return /^\/cdk-bootstrap\/[A-Za-z0-9_-]{1,10}\/version$/.test(name) ? bootstrapVersion : undefined
}
