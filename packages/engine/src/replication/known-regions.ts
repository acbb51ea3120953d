import { validationException, type ServiceError } from '@hashrange/core'

/** The regions that the service names when it rejects one. Others with a name of the usual form are accepted as well:
 *  there will be more. */
const regions =
  'ap-south-2, ap-south-1, eu-south-1, eu-south-2, me-central-1, il-central-1, ca-central-1, eu-central-1, eu-central-2, us-west-1, us-west-2, af-south-1, eu-north-1, eu-west-3, eu-west-2, eu-west-1, ap-northeast-3, ap-northeast-2, me-south-1, ap-northeast-1, sa-east-1, ap-east-1, ca-west-1, ap-southeast-1, ap-southeast-2, ap-southeast-3, ap-southeast-4, us-east-1, ap-southeast-5, us-east-2, ap-southeast-7, mx-central-1'

export function assertRegion(region: string): void {
  if (!/^[a-z]{2,8}(-[a-z]{2,16}){1,3}-\d{1,2}$/.test(region)) throw unsupported(region)
}

/** Every replica sends to every other one, so they cost the square of their number. There are fewer regions than this on AWS. */
export const mostReplicas = 50

export function unsupported(region: string): ServiceError {
  return validationException(
    `Region ${region} is not supported. The latest version of global tables are only supported in the following regions: [${regions}]`,
  )
}
