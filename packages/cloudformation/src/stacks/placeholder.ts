/** What stands for an attribute of a resource that is not here. */
export function placeholder(
  { type, physicalId }: { readonly type: string; readonly physicalId: string },
  attribute: string,
  { region, accountId }: { readonly region: string; readonly accountId: string },
): string {
  if (!attribute.endsWith('Arn')) return `${physicalId}-${attribute}`
  if (physicalId.startsWith('arn:')) return physicalId
  // The transform of SAM makes one of Lambda's.
  const made = type === 'AWS::Serverless::Function' ? 'AWS::Lambda::Function' : type
  const [, service = 'aws', kind = 'resource'] = made.toLowerCase().split('::')
  if (service === 'iam') return `arn:aws:iam::${accountId}:${kind}/${physicalId}`
  if (service === 's3') return `arn:aws:s3:::${physicalId}`
  const separator = service === 'lambda' ? ':' : '/'
  return `arn:aws:${service}:${region}:${accountId}:${service === 'sqs' || service === 'sns' ? '' : kind + separator}${physicalId}`
}
