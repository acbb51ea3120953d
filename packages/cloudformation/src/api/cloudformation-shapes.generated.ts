/** The input shapes of AWS CloudFormation's operations, derived from its API model, version 2010-05-15, by
 *  scripts/generate-shapes.mjs: one shape a line, in the form that `shapes.ts` reads. */
export const shapeLines = String.raw`
Arn string
CallAs string enum SELF|DELEGATED_ADMIN
CancelUpdateStackInput structure StackName!:StackName ClientRequestToken:ClientRequestToken
Capabilities list Capability
Capability string enum CAPABILITY_IAM|CAPABILITY_NAMED_IAM|CAPABILITY_AUTO_EXPAND
ChangeSetName string 1..128 pattern [a-zA-Z][-a-zA-Z0-9]*
ChangeSetNameOrId string 1..1600 pattern [a-zA-Z][-a-zA-Z0-9]*|arn:[-a-zA-Z0-9:/]*
ChangeSetType string enum CREATE|UPDATE|IMPORT
ClientRequestToken string 1..128 pattern [a-zA-Z0-9][-a-zA-Z0-9]*
ClientToken string 1..128
ContinueUpdateRollbackInput structure StackName!:StackNameOrId RoleARN:RoleARN ResourcesToSkip:ResourcesToSkip ClientRequestToken:ClientRequestToken
CreateChangeSetInput structure StackName!:StackNameOrId TemplateBody:TemplateBody TemplateURL:TemplateURL UsePreviousTemplate:UsePreviousTemplate Parameters:Parameters Capabilities:Capabilities ResourceTypes:ResourceTypes RoleARN:RoleARN RollbackConfiguration:RollbackConfiguration NotificationARNs:NotificationARNs Tags:Tags ChangeSetName!:ChangeSetName ClientToken:ClientToken Description:Description ChangeSetType:ChangeSetType ResourcesToImport:ResourcesToImport IncludeNestedStacks:IncludeNestedStacks OnStackFailure:OnStackFailure ImportExistingResources:ImportExistingResources DeploymentMode:DeploymentMode
CreateStackInput structure StackName!:StackName TemplateBody:TemplateBody TemplateURL:TemplateURL Parameters:Parameters DisableRollback:DisableRollback RollbackConfiguration:RollbackConfiguration TimeoutInMinutes:TimeoutMinutes NotificationARNs:NotificationARNs Capabilities:Capabilities ResourceTypes:ResourceTypes RoleARN:RoleARN OnFailure:OnFailure StackPolicyBody:StackPolicyBody StackPolicyURL:StackPolicyURL Tags:Tags ClientRequestToken:ClientRequestToken EnableTerminationProtection:EnableTerminationProtection RetainExceptOnCreate:RetainExceptOnCreate
DeleteChangeSetInput structure ChangeSetName!:ChangeSetNameOrId StackName:StackNameOrId
DeleteStackInput structure StackName!:StackName RetainResources:RetainResources RoleARN:RoleARN ClientRequestToken:ClientRequestToken DeletionMode:DeletionMode
DeletionMode string enum STANDARD|FORCE_DELETE_STACK
DeploymentMode string enum REVERT_DRIFT
DescribeChangeSetInput structure ChangeSetName!:ChangeSetNameOrId StackName:StackNameOrId NextToken:NextToken IncludePropertyValues:IncludePropertyValues
DescribeEventsInput structure StackName:StackNameOrId ChangeSetName:ChangeSetNameOrId OperationId:OperationId Filters:EventFilter NextToken:NextToken
DescribeStackEventsInput structure StackName!:StackName NextToken:NextToken
DescribeStackResourceInput structure StackName!:StackName LogicalResourceId!:LogicalResourceId
DescribeStackResourcesInput structure StackName:StackName LogicalResourceId:LogicalResourceId PhysicalResourceId:PhysicalResourceId
DescribeStacksInput structure StackName:StackName NextToken:NextToken
Description string 1..1024
DisableRollback boolean
EnableTerminationProtection boolean
EventFilter structure FailedEvents:FailedEventsFilter
ExecuteChangeSetInput structure ChangeSetName!:ChangeSetNameOrId StackName:StackNameOrId ClientRequestToken:ClientRequestToken DisableRollback:DisableRollback RetainExceptOnCreate:RetainExceptOnCreate
ExportName string
FailedEventsFilter boolean
GetStackPolicyInput structure StackName!:StackName
GetTemplateInput structure StackName:StackName ChangeSetName:ChangeSetNameOrId TemplateStage:TemplateStage
GetTemplateSummaryInput structure TemplateBody:TemplateBody TemplateURL:TemplateURL StackName:StackNameOrId StackSetName:StackSetNameOrId CallAs:CallAs TemplateSummaryConfig:TemplateSummaryConfig
ImportExistingResources boolean
IncludeNestedStacks boolean
IncludePropertyValues boolean
ListChangeSetsInput structure StackName!:StackNameOrId NextToken:NextToken
ListExportsInput structure NextToken:NextToken
ListImportsInput structure ExportName!:ExportName NextToken:NextToken
ListStackResourcesInput structure StackName!:StackName NextToken:NextToken
ListStacksInput structure NextToken:NextToken StackStatusFilter:StackStatusFilter
LogicalResourceId string
MonitoringTimeInMinutes integer 0..180
NextToken string 1..1024
NotificationARN string
NotificationARNs list NotificationARN ..5
OnFailure string enum DO_NOTHING|ROLLBACK|DELETE
OnStackFailure string enum DO_NOTHING|ROLLBACK|DELETE
OperationId string
Parameter structure ParameterKey:ParameterKey ParameterValue:ParameterValue UsePreviousValue:UsePreviousValue ResolvedValue:ParameterValue
ParameterKey string
ParameterValue string
Parameters list Parameter
PhysicalResourceId string
ResourceIdentifierProperties map ResourceIdentifierPropertyValue 1..256 keys ResourceIdentifierPropertyKey
ResourceIdentifierPropertyKey string 1..2048
ResourceIdentifierPropertyValue string 1..2048
ResourceToImport structure ResourceType!:ResourceType LogicalResourceId!:LogicalResourceId ResourceIdentifier!:ResourceIdentifierProperties
ResourceToSkip string pattern [a-zA-Z0-9]+|[a-zA-Z][-a-zA-Z0-9]*\.[a-zA-Z0-9]+
ResourceType string 1..256
ResourceTypes list ResourceType
ResourcesToImport list ResourceToImport ..200
ResourcesToSkip list ResourceToSkip
RetainExceptOnCreate boolean
RetainResources list LogicalResourceId
RoleARN string 20..2048
RollbackConfiguration structure RollbackTriggers:RollbackTriggers MonitoringTimeInMinutes:MonitoringTimeInMinutes
RollbackStackInput structure StackName!:StackNameOrId RoleARN:RoleARN ClientRequestToken:ClientRequestToken RetainExceptOnCreate:RetainExceptOnCreate
RollbackTrigger structure Arn!:Arn Type!:Type
RollbackTriggers list RollbackTrigger ..5
SetStackPolicyInput structure StackName!:StackName StackPolicyBody:StackPolicyBody StackPolicyURL:StackPolicyURL
StackName string
StackNameOrId string 1.. pattern ([a-zA-Z][-a-zA-Z0-9]*)|(arn:\b(aws|aws-us-gov|aws-cn)\b:[-a-zA-Z0-9:/._+]*)
StackPolicyBody string 1..16384
StackPolicyDuringUpdateBody string 1..16384
StackPolicyDuringUpdateURL string 1..5120
StackPolicyURL string 1..5120
StackSetNameOrId string pattern [a-zA-Z][-a-zA-Z0-9]*(?::[a-zA-Z0-9]{8}-[a-zA-Z0-9]{4}-[a-zA-Z0-9]{4}-[a-zA-Z0-9]{4}-[a-zA-Z0-9]{12})?
StackStatus string enum CREATE_IN_PROGRESS|CREATE_FAILED|CREATE_COMPLETE|ROLLBACK_IN_PROGRESS|ROLLBACK_FAILED|ROLLBACK_COMPLETE|DELETE_IN_PROGRESS|DELETE_FAILED|DELETE_COMPLETE|UPDATE_IN_PROGRESS|UPDATE_COMPLETE_CLEANUP_IN_PROGRESS|UPDATE_COMPLETE|UPDATE_FAILED|UPDATE_ROLLBACK_IN_PROGRESS|UPDATE_ROLLBACK_FAILED|UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS|UPDATE_ROLLBACK_COMPLETE|REVIEW_IN_PROGRESS|IMPORT_IN_PROGRESS|IMPORT_COMPLETE|IMPORT_ROLLBACK_IN_PROGRESS|IMPORT_ROLLBACK_FAILED|IMPORT_ROLLBACK_COMPLETE
StackStatusFilter list StackStatus
Tag structure Key!:TagKey Value!:TagValue
TagKey string 1..128
TagValue string 1..256
Tags list Tag ..50
TemplateBody string 1..
TemplateStage string enum Original|Processed
TemplateSummaryConfig structure TreatUnrecognizedResourceTypesAsWarnings:TreatUnrecognizedResourceTypesAsWarnings
TemplateURL string 1..5120
TimeoutMinutes integer 1..
TreatUnrecognizedResourceTypesAsWarnings boolean
Type string
UpdateStackInput structure StackName!:StackName TemplateBody:TemplateBody TemplateURL:TemplateURL UsePreviousTemplate:UsePreviousTemplate StackPolicyDuringUpdateBody:StackPolicyDuringUpdateBody StackPolicyDuringUpdateURL:StackPolicyDuringUpdateURL Parameters:Parameters Capabilities:Capabilities ResourceTypes:ResourceTypes RoleARN:RoleARN RollbackConfiguration:RollbackConfiguration StackPolicyBody:StackPolicyBody StackPolicyURL:StackPolicyURL NotificationARNs:NotificationARNs Tags:Tags DisableRollback:DisableRollback ClientRequestToken:ClientRequestToken RetainExceptOnCreate:RetainExceptOnCreate
UpdateTerminationProtectionInput structure EnableTerminationProtection!:EnableTerminationProtection StackName!:StackNameOrId
UsePreviousTemplate boolean
UsePreviousValue boolean
ValidateTemplateInput structure TemplateBody:TemplateBody TemplateURL:TemplateURL
`
