/** The input shapes of AWS Security Token Service's operations, derived from its API model, version 2011-06-15, by
 *  scripts/generate-shapes.mjs: one shape a line, in the form that `shapes.ts` reads. */
export const shapeLines = String.raw`
AssumeRoleInput structure RoleArn!:arnType RoleSessionName!:roleSessionNameType PolicyArns:policyDescriptorListType Policy:unrestrictedSessionPolicyDocumentType DurationSeconds:roleDurationSecondsType Tags:tagListType TransitiveTagKeys:tagKeyListType ExternalId:externalIdType SerialNumber:serialNumberType TokenCode:tokenCodeType SourceIdentity:sourceIdentityType ProvidedContexts:ProvidedContextsListType
GetAccessKeyInfoInput structure AccessKeyId!:accessKeyIdType
GetCallerIdentityInput structure
GetSessionTokenInput structure DurationSeconds:durationSecondsType SerialNumber:serialNumberType TokenCode:tokenCodeType
PolicyDescriptorType structure arn:arnType
ProvidedContext structure ProviderArn:arnType ContextAssertion:contextAssertionType
ProvidedContextsListType list ProvidedContext 1..5
Tag structure Key!:tagKeyType Value!:tagValueType
accessKeyIdType string 16..128 pattern [\w]*
arnType string 20..2048 pattern [\u0009\u000A\u000D\u0020-\u007E\u0085\u00A0-\uD7FF\uE000-\uFFFD\u10000-\u10FFFF]+
contextAssertionType string 4..2048
durationSecondsType integer 900..129600
externalIdType string 2..1224 pattern [\w+=,.@:\/-]*
policyDescriptorListType list PolicyDescriptorType
roleDurationSecondsType integer 900..43200
roleSessionNameType string 2..64 pattern [\w+=,.@-]*
serialNumberType string 9..256 pattern [\w+=/:,.@-]*
sourceIdentityType string 2..64 pattern [\w+=,.@-]*
tagKeyListType list tagKeyType ..50
tagKeyType string 1..128 pattern [\p{L}\p{Z}\p{N}_.:/=+\-@]+
tagListType list Tag ..50
tagValueType string 0..256 pattern [\p{L}\p{Z}\p{N}_.:/=+\-@]*
tokenCodeType string 6..6 pattern [\d]*
unrestrictedSessionPolicyDocumentType string 1.. pattern [\u0009\u000A\u000D\u0020-\u00FF]+
`
