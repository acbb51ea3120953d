/** The input shapes of AWS Identity and Access Management's operations, derived from its API model, version 2010-05-08, by
 *  scripts/generate-shapes.mjs: one shape a line, in the form that `shapes.ts` reads. */
export const shapeLines = String.raw`
ActionNameListType list ActionNameType
ActionNameType string 3..128
AddUserToGroupInput structure GroupName!:groupNameType UserName!:existingUserNameType
AttachGroupPolicyInput structure GroupName!:groupNameType PolicyArn!:arnType
AttachRolePolicyInput structure RoleName!:roleNameType PolicyArn!:arnType
AttachUserPolicyInput structure UserName!:userNameType PolicyArn!:arnType
ContextEntry structure ContextKeyName:ContextKeyNameType ContextKeyValues:ContextKeyValueListType ContextKeyType:ContextKeyTypeEnum
ContextEntryListType list ContextEntry
ContextKeyNameType string 5..256
ContextKeyTypeEnum string enum string|stringList|numeric|numericList|boolean|booleanList|ip|ipList|binary|binaryList|date|dateList
ContextKeyValueListType list ContextKeyValueType
ContextKeyValueType string
CreateAccessKeyInput structure UserName:existingUserNameType
CreateGroupInput structure Path:pathType GroupName!:groupNameType
CreatePolicyInput structure PolicyName!:policyNameType Path:policyPathType PolicyDocument!:policyDocumentType Description:policyDescriptionType Tags:tagListType
CreatePolicyVersionInput structure PolicyArn!:arnType PolicyDocument!:policyDocumentType SetAsDefault:booleanType
CreateRoleInput structure Path:pathType RoleName!:roleNameType AssumeRolePolicyDocument!:policyDocumentType Description:roleDescriptionType MaxSessionDuration:roleMaxSessionDurationType PermissionsBoundary:arnType Tags:tagListType
CreateUserInput structure Path:pathType UserName!:userNameType PermissionsBoundary:arnType Tags:tagListType
DeleteAccessKeyInput structure UserName:existingUserNameType AccessKeyId!:accessKeyIdType
DeleteGroupInput structure GroupName!:groupNameType
DeleteGroupPolicyInput structure GroupName!:groupNameType PolicyName!:policyNameType
DeletePolicyInput structure PolicyArn!:arnType
DeletePolicyVersionInput structure PolicyArn!:arnType VersionId!:policyVersionIdType
DeleteRoleInput structure RoleName!:roleNameType
DeleteRolePermissionsBoundaryInput structure RoleName!:roleNameType
DeleteRolePolicyInput structure RoleName!:roleNameType PolicyName!:policyNameType
DeleteUserInput structure UserName!:existingUserNameType
DeleteUserPermissionsBoundaryInput structure UserName!:userNameType
DeleteUserPolicyInput structure UserName!:existingUserNameType PolicyName!:policyNameType
DetachGroupPolicyInput structure GroupName!:groupNameType PolicyArn!:arnType
DetachRolePolicyInput structure RoleName!:roleNameType PolicyArn!:arnType
DetachUserPolicyInput structure UserName!:userNameType PolicyArn!:arnType
EntityType string enum User|Role|Group|LocalManagedPolicy|AWSManagedPolicy
GetAccessKeyLastUsedInput structure AccessKeyId!:accessKeyIdType
GetAccountSummaryInput structure
GetContextKeysForCustomPolicyInput structure PolicyInputList!:SimulationPolicyListType
GetContextKeysForPrincipalPolicyInput structure PolicySourceArn!:arnType PolicyInputList:SimulationPolicyListType
GetGroupInput structure GroupName!:groupNameType Marker:markerType MaxItems:maxItemsType
GetGroupPolicyInput structure GroupName!:groupNameType PolicyName!:policyNameType
GetPolicyInput structure PolicyArn!:arnType
GetPolicyVersionInput structure PolicyArn!:arnType VersionId!:policyVersionIdType
GetRoleInput structure RoleName!:roleNameType
GetRolePolicyInput structure RoleName!:roleNameType PolicyName!:policyNameType
GetUserInput structure UserName:existingUserNameType
GetUserPolicyInput structure UserName!:existingUserNameType PolicyName!:policyNameType
ListAccessKeysInput structure UserName:existingUserNameType Marker:markerType MaxItems:maxItemsType
ListAccountAliasesInput structure Marker:markerType MaxItems:maxItemsType
ListAttachedGroupPoliciesInput structure GroupName!:groupNameType PathPrefix:policyPathType Marker:markerType MaxItems:maxItemsType
ListAttachedRolePoliciesInput structure RoleName!:roleNameType PathPrefix:policyPathType Marker:markerType MaxItems:maxItemsType
ListAttachedUserPoliciesInput structure UserName!:userNameType PathPrefix:policyPathType Marker:markerType MaxItems:maxItemsType
ListEntitiesForPolicyInput structure PolicyArn!:arnType EntityFilter:EntityType PathPrefix:pathType PolicyUsageFilter:PolicyUsageType Marker:markerType MaxItems:maxItemsType
ListGroupPoliciesInput structure GroupName!:groupNameType Marker:markerType MaxItems:maxItemsType
ListGroupsForUserInput structure UserName!:existingUserNameType Marker:markerType MaxItems:maxItemsType
ListGroupsInput structure PathPrefix:pathPrefixType Marker:markerType MaxItems:maxItemsType
ListInstanceProfilesForRoleInput structure RoleName!:roleNameType Marker:markerType MaxItems:maxItemsType
ListPoliciesInput structure Scope:policyScopeType OnlyAttached:booleanType PathPrefix:policyPathType PolicyUsageFilter:PolicyUsageType Marker:markerType MaxItems:maxItemsType
ListPolicyTagsInput structure PolicyArn!:arnType Marker:markerType MaxItems:maxItemsType
ListPolicyVersionsInput structure PolicyArn!:arnType Marker:markerType MaxItems:maxItemsType
ListRolePoliciesInput structure RoleName!:roleNameType Marker:markerType MaxItems:maxItemsType
ListRoleTagsInput structure RoleName!:roleNameType Marker:markerType MaxItems:maxItemsType
ListRolesInput structure PathPrefix:pathPrefixType Marker:markerType MaxItems:maxItemsType
ListUserPoliciesInput structure UserName!:existingUserNameType Marker:markerType MaxItems:maxItemsType
ListUserTagsInput structure UserName!:existingUserNameType Marker:markerType MaxItems:maxItemsType
ListUsersInput structure PathPrefix:pathPrefixType Marker:markerType MaxItems:maxItemsType
PolicyUsageType string enum PermissionsPolicy|PermissionsBoundary
PutGroupPolicyInput structure GroupName!:groupNameType PolicyName!:policyNameType PolicyDocument!:policyDocumentType
PutRolePermissionsBoundaryInput structure RoleName!:roleNameType PermissionsBoundary!:arnType
PutRolePolicyInput structure RoleName!:roleNameType PolicyName!:policyNameType PolicyDocument!:policyDocumentType
PutUserPermissionsBoundaryInput structure UserName!:userNameType PermissionsBoundary!:arnType
PutUserPolicyInput structure UserName!:existingUserNameType PolicyName!:policyNameType PolicyDocument!:policyDocumentType
RemoveUserFromGroupInput structure GroupName!:groupNameType UserName!:existingUserNameType
ResourceHandlingOptionType string 1..64
ResourceNameListType list ResourceNameType
ResourceNameType string 1..2048
SetDefaultPolicyVersionInput structure PolicyArn!:arnType VersionId!:policyVersionIdType
SimulateCustomPolicyInput structure PolicyInputList!:SimulationPolicyListType PermissionsBoundaryPolicyInputList:SimulationPolicyListType ActionNames!:ActionNameListType ResourceArns:ResourceNameListType ResourcePolicy:policyDocumentType ResourceOwner:ResourceNameType CallerArn:ResourceNameType ContextEntries:ContextEntryListType ResourceHandlingOption:ResourceHandlingOptionType MaxItems:maxItemsType Marker:markerType
SimulatePrincipalPolicyInput structure PolicySourceArn!:arnType PolicyInputList:SimulationPolicyListType PermissionsBoundaryPolicyInputList:SimulationPolicyListType ActionNames!:ActionNameListType ResourceArns:ResourceNameListType ResourcePolicy:policyDocumentType ResourceOwner:ResourceNameType CallerArn:ResourceNameType ContextEntries:ContextEntryListType ResourceHandlingOption:ResourceHandlingOptionType MaxItems:maxItemsType Marker:markerType
SimulationPolicyListType list policyDocumentType
Tag structure Key!:tagKeyType Value!:tagValueType
TagPolicyInput structure PolicyArn!:arnType Tags!:tagListType
TagRoleInput structure RoleName!:roleNameType Tags!:tagListType
TagUserInput structure UserName!:existingUserNameType Tags!:tagListType
UntagPolicyInput structure PolicyArn!:arnType TagKeys!:tagKeyListType
UntagRoleInput structure RoleName!:roleNameType TagKeys!:tagKeyListType
UntagUserInput structure UserName!:existingUserNameType TagKeys!:tagKeyListType
UpdateAccessKeyInput structure UserName:existingUserNameType AccessKeyId!:accessKeyIdType Status!:statusType
UpdateAssumeRolePolicyInput structure RoleName!:roleNameType PolicyDocument!:policyDocumentType
UpdateGroupInput structure GroupName!:groupNameType NewPath:pathType NewGroupName:groupNameType
UpdateRoleDescriptionInput structure RoleName!:roleNameType Description!:roleDescriptionType
UpdateRoleInput structure RoleName!:roleNameType Description:roleDescriptionType MaxSessionDuration:roleMaxSessionDurationType
UpdateUserInput structure UserName!:existingUserNameType NewPath:pathType NewUserName:userNameType
accessKeyIdType string 16..128 pattern [\w]+
arnType string 20..2048
booleanType boolean
existingUserNameType string 1..128 pattern [\w+=,.@-]+
groupNameType string 1..128 pattern [\w+=,.@-]+
markerType string 1..320 pattern [\u0020-\u00FF]+
maxItemsType integer 1..1000
pathPrefixType string 1..512 pattern \u002F[\u0021-\u007F]*
pathType string 1..512 pattern (\u002F)|(\u002F[\u0021-\u007E]+\u002F)
policyDescriptionType string ..1000
policyDocumentType string 1..131072 pattern [\u0009\u000A\u000D\u0020-\u00FF]+
policyNameType string 1..128 pattern [\w+=,.@-]+
policyPathType string 1..512 pattern ((/[A-Za-z0-9\.,\+@=_-]+)*)/
policyScopeType string enum All|AWS|Local
policyVersionIdType string pattern v[1-9][0-9]*(\.[A-Za-z0-9-]*)?
roleDescriptionType string ..1000 pattern [\u0009\u000A\u000D\u0020-\u007E\u00A1-\u00FF]*
roleMaxSessionDurationType integer 3600..43200
roleNameType string 1..64 pattern [\w+=,.@-]+
statusType string enum Active|Inactive|Expired
tagKeyListType list tagKeyType ..50
tagKeyType string 1..128 pattern [\p{L}\p{Z}\p{N}_.:/=+\-@]+
tagListType list Tag ..50
tagValueType string 0..256 pattern [\p{L}\p{Z}\p{N}_.:/=+\-@]*
userNameType string 1..64 pattern [\w+=,.@-]+
`
