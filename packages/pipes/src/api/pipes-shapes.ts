import { ShapeBook, serviceInputReader, type ReadServiceInput } from '@hashrange/engine'

/** The input shapes of EventBridge Pipes, as far as they concern sources and targets that are here, after its API model of
 *  2015-10-07. */
const shapeLines = String.raw`
Arn string 1..1600 pattern arn:aws[a-z-]{0,20}:[a-z0-9-]{1,40}:[a-z0-9-]{0,40}:\d{0,12}:\S+
CreatePipeInput structure Name!:PipeName Description:PipeDescription DesiredState:RequestedPipeState Source!:Arn SourceParameters:PipeSourceParameters Enrichment:OptionalArn EnrichmentParameters:PipeEnrichmentParameters Target!:Arn TargetParameters:PipeTargetParameters RoleArn!:RoleArn Tags:TagMap
DeletePipeInput structure Name!:PipeName
DescribePipeInput structure Name!:PipeName
EventPattern string 0..4096
Filter structure Pattern:EventPattern
FilterCriteria structure Filters:FilterList
FilterList list Filter 0..5
HeaderParametersMap map HttpText 0..100
HttpText string 0..512
InputTemplate string 0..8192
Limit integer 1..100
ListPipesInput structure NamePrefix:PipeName DesiredState:RequestedPipeState CurrentState:PipeState SourcePrefix:Prefix TargetPrefix:Prefix NextToken:NextToken Limit:Limit
ListTagsForResourceInput structure resourceArn!:Arn
NextToken string 1..2048
OptionalArn string 0..1600
PartitionKey string 0..256
PathParameterList list HttpText 0..100
PipeDescription string 0..512
PipeEnrichmentParameters structure InputTemplate:InputTemplate
PipeName string 1..64 pattern [\.\-_A-Za-z0-9]+
PipeSourceParameters structure FilterCriteria:FilterCriteria KinesisStreamParameters:PipeSourceStreamParameters DynamoDBStreamParameters:PipeSourceStreamParameters
PipeSourceStreamParameters structure BatchSize:StreamBatchSize MaximumRetryAttempts:RetryAttempts StartingPosition:StartPosition
PipeState string enum RUNNING|STOPPED|CREATING|UPDATING|DELETING|STARTING|STOPPING
PipeTargetKinesisStreamParameters structure PartitionKey!:PartitionKey
PipeTargetHttpParameters structure PathParameterValues:PathParameterList HeaderParameters:HeaderParametersMap QueryStringParameters:QueryStringParametersMap
PipeTargetParameters structure InputTemplate:InputTemplate KinesisStreamParameters:PipeTargetKinesisStreamParameters HttpParameters:PipeTargetHttpParameters
Prefix string 1..1600
QueryStringParametersMap map HttpText 0..100
RequestedPipeState string enum RUNNING|STOPPED
RetryAttempts integer -1..10000
RoleArn string 1..1600 pattern arn:aws[a-zA-Z-]{0,20}:iam::\d{12}:role/?[a-zA-Z0-9+=,.@\-_/]+
StartPipeInput structure Name!:PipeName
StartPosition string enum TRIM_HORIZON|LATEST
StopPipeInput structure Name!:PipeName
StreamBatchSize integer 1..10000
TagKey string 1..128
TagKeyList list TagKey 0..50
TagMap map TagValue 1..50
TagResourceInput structure resourceArn!:Arn tags!:TagMap
TagValue string 0..256
UntagResourceInput structure resourceArn!:Arn tagKeys!:TagKeyList
UpdatePipeInput structure Name!:PipeName Description:PipeDescription DesiredState:RequestedPipeState SourceParameters:PipeSourceParameters Enrichment:OptionalArn EnrichmentParameters:PipeEnrichmentParameters Target:Arn TargetParameters:PipeTargetParameters RoleArn!:RoleArn
`

export const readPipesInput: ReadServiceInput = serviceInputReader(new ShapeBook(shapeLines))
