/** The input shapes of AWS Lambda's operations, derived from its API model, version 2015-03-31, by
 *  scripts/generate-shapes.mjs: one shape a line, in the form that `shapes.ts` reads. */
export const shapeLines = String.raw`
AmazonManagedKafkaEventSourceConfig structure ConsumerGroupId:URI SchemaRegistryConfig:KafkaSchemaRegistryConfig
ApplicationLogLevel string enum TRACE|DEBUG|INFO|WARN|ERROR|FATAL
Architecture string enum x86_64|arm64
ArchitecturesList list Architecture 1..1
Arn string 0..10000 pattern arn:(aws[a-zA-Z0-9-]*):([a-zA-Z0-9\-])+:((eusc-)?[a-z]{2}((-gov)|(-iso([a-z]?)))?-[a-z]+-\d{1})?:(\d{12})?:(.*)
BatchSize integer 1..10000
BisectBatchOnFunctionError boolean
Blob string
Boolean boolean
CapacityProviderArn string 1..140 pattern arn:aws[a-zA-Z-]*:lambda:(eusc-)?[a-z]{2}((-gov)|(-iso([a-z]?)))?-[a-z]+-\d{1}:\d{12}:capacity-provider:[a-zA-Z0-9-_]+
CapacityProviderConfig structure LambdaManagedInstancesCapacityProviderConfig!:LambdaManagedInstancesCapacityProviderConfig
CodeSigningConfigArn string 0..200 pattern arn:(aws[a-zA-Z-]*)?:lambda:(eusc-)?[a-z]{2}((-gov)|(-iso([a-z]?)))?-[a-z]+-\d{1}:\d{12}:code-signing-config:csc-[a-z0-9]{17}
CollectionName string 1..57 pattern (^(?!(system\x2e)))(^[_a-zA-Z0-9])([^$]*)
CreateEventSourceMappingInput structure EventSourceArn:Arn FunctionName!:NamespacedFunctionName Enabled:Enabled BatchSize:BatchSize FilterCriteria:FilterCriteria KMSKeyArn:KMSKeyArn MetricsConfig:EventSourceMappingMetricsConfig LoggingConfig:EventSourceMappingLoggingConfig ScalingConfig:ScalingConfig MaximumBatchingWindowInSeconds:MaximumBatchingWindowInSeconds ParallelizationFactor:ParallelizationFactor StartingPosition:EventSourcePosition StartingPositionTimestamp:Date DestinationConfig:DestinationConfig MaximumRecordAgeInSeconds:MaximumRecordAgeInSeconds BisectBatchOnFunctionError:BisectBatchOnFunctionError MaximumRetryAttempts:MaximumRetryAttemptsEventSourceMapping Tags:Tags TumblingWindowInSeconds:TumblingWindowInSeconds Topics:Topics Queues:Queues SourceAccessConfigurations:SourceAccessConfigurations SelfManagedEventSource:SelfManagedEventSource FunctionResponseTypes:FunctionResponseTypeList AmazonManagedKafkaEventSourceConfig:AmazonManagedKafkaEventSourceConfig SelfManagedKafkaEventSourceConfig:SelfManagedKafkaEventSourceConfig DocumentDBEventSourceConfig:DocumentDBEventSourceConfig ProvisionedPollerConfig:ProvisionedPollerConfig
CreateFunctionInput structure FunctionName!:FunctionName Runtime:Runtime Role!:RoleArn Handler:Handler Code!:FunctionCode Description:Description Timeout:Timeout MemorySize:MemorySize Publish:Boolean PublishTo:FunctionVersionLatestPublished VpcConfig:VpcConfig PackageType:PackageType DeadLetterConfig:DeadLetterConfig Environment:Environment KMSKeyArn:KMSKeyArn TracingConfig:TracingConfig Tags:Tags Layers:LayerList FileSystemConfigs:FileSystemConfigList CodeSigningConfigArn:CodeSigningConfigArn ImageConfig:ImageConfig Architectures:ArchitecturesList EphemeralStorage:EphemeralStorage SnapStart:SnapStart LoggingConfig:LoggingConfig TenancyConfig:TenancyConfig CapacityProviderConfig:CapacityProviderConfig DurableConfig:DurableConfig
DatabaseName string 1..63 pattern [^ /\.$\x22]*
Date timestamp
DeadLetterConfig structure TargetArn:ResourceArn
DeleteEventSourceMappingInput structure UUID!:UUIDString
DeleteFunctionConcurrencyInput structure FunctionName!:FunctionName
DeleteFunctionInput structure FunctionName!:NamespacedFunctionName Qualifier:NumericLatestPublishedOrAliasQualifier
Description string 0..256
DestinationArn string 0..350 pattern $|kafka://([^.]([a-zA-Z0-9\-_.]{0,248}))|arn:(aws[a-zA-Z0-9-]*):([a-zA-Z0-9\-])+:((eusc-)?[a-z]{2}((-gov)|(-iso([a-z]?)))?-[a-z]+-\d{1})?:(\d{12})?:(.*)
DestinationConfig structure OnSuccess:OnSuccess OnFailure:OnFailure
DocumentDBEventSourceConfig structure DatabaseName:DatabaseName CollectionName:CollectionName FullDocument:FullDocument
DurableConfig structure KMSKeyArn:KMSKeyArn RetentionPeriodInDays:RetentionPeriodInDays ExecutionTimeout:ExecutionTimeout
DurableExecutionName string 1..64 pattern [a-zA-Z0-9-_]+
Enabled boolean
EndPointType string enum KAFKA_BOOTSTRAP_SERVERS
Endpoint string 1..300 pattern (([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9\-]*[a-zA-Z0-9])\.)*([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9\-]*[A-Za-z0-9]):[0-9]{1,5}
EndpointLists list Endpoint 1..10
Endpoints map EndpointLists 1..2 keys EndPointType
Environment structure Variables:EnvironmentVariables
EnvironmentVariableName string pattern [a-zA-Z]([a-zA-Z0-9_])+
EnvironmentVariableValue string
EnvironmentVariables map EnvironmentVariableValue keys EnvironmentVariableName
EphemeralStorage structure Size!:EphemeralStorageSize
EphemeralStorageSize integer 512..10240
EventSourceMappingLoggingConfig structure SystemLogLevel:EventSourceMappingSystemLogLevel
EventSourceMappingMetric string enum EventCount|ErrorCount|KafkaMetrics
EventSourceMappingMetricList list EventSourceMappingMetric 0..3
EventSourceMappingMetricsConfig structure Metrics:EventSourceMappingMetricList
EventSourceMappingSystemLogLevel string enum DEBUG|INFO|WARN
EventSourcePosition string enum TRIM_HORIZON|LATEST|AT_TIMESTAMP
ExecutionEnvironmentMemoryGiBPerVCpu double 2..8
ExecutionTimeout integer 1..31622400
FileSystemArn string 0..256 pattern arn:aws[a-zA-Z-]*:elasticfilesystem:(eusc-)?[a-z]{2}((-gov)|(-iso([a-z]?)))?-[a-z]+-\d{1}:\d{12}:access-point/fsap-[a-f0-9]{17}$|^arn:aws[-a-z]*:s3files:[0-9a-z-:]+:file-system/fs-[0-9a-f]{17,40}/access-point/fsap-[0-9a-f]{17,40}
FileSystemConfig structure Arn!:FileSystemArn LocalMountPath!:LocalMountPath
FileSystemConfigList list FileSystemConfig 0..1
Filter structure Pattern:Pattern
FilterCriteria structure Filters:FilterList
FilterList list Filter
FullDocument string enum UpdateLookup|Default
FunctionCode structure ZipFile:Blob S3Bucket:S3Bucket S3Key:S3Key S3ObjectVersion:S3ObjectVersion S3ObjectStorageMode:S3ObjectStorageMode ImageUri:String SourceKMSKeyArn:KMSKeyArn
FunctionName string 1..140 pattern (arn:(aws[a-zA-Z-]*)?:lambda:)?((eusc-)?[a-z]{2}((-gov)|(-iso([a-z]?)))?-[a-z]+-\d{1}:)?(\d{12}:)?(function:)?([a-zA-Z0-9-_]+)(:(\$LATEST|[a-zA-Z0-9-_]+))?
FunctionResponseType string enum ReportBatchItemFailures
FunctionResponseTypeList list FunctionResponseType 0..1
FunctionVersion string enum ALL
FunctionVersionLatestPublished string enum LATEST_PUBLISHED
GetAccountSettingsInput structure
GetEventSourceMappingInput structure UUID!:UUIDString
GetFunctionCodeSigningConfigInput structure FunctionName!:NamespacedFunctionName
GetFunctionConcurrencyInput structure FunctionName!:FunctionName
GetFunctionConfigurationInput structure FunctionName!:NamespacedFunctionName Qualifier:NumericLatestPublishedOrAliasQualifier
GetFunctionEventInvokeConfigInput structure FunctionName!:NamespacedFunctionName Qualifier:NumericLatestPublishedOrAliasQualifier
GetFunctionInput structure FunctionName!:NamespacedFunctionName Qualifier:NumericLatestPublishedOrAliasQualifier
GetFunctionRecursionConfigInput structure FunctionName!:UnqualifiedFunctionName
GetPolicyInput structure FunctionName!:NamespacedFunctionName Qualifier:NumericLatestPublishedOrAliasQualifier
GetRuntimeManagementConfigInput structure FunctionName!:NamespacedFunctionName Qualifier:NumericLatestPublishedOrAliasQualifier
Handler string 0..128 pattern [^\s]+
ImageConfig structure EntryPoint:StringList Command:StringList WorkingDirectory:WorkingDirectory
InvocationType string enum Event|RequestResponse|DryRun
InvokeInput structure FunctionName!:NamespacedFunctionName InvocationType:InvocationType LogType:LogType ClientContext:String DurableExecutionName:DurableExecutionName Payload:Blob Qualifier:NumericLatestPublishedOrAliasQualifier TenantId:TenantId
KMSKeyArn string 0..10000 pattern (arn:(aws[a-zA-Z-]*)?:[a-z0-9-.]+:.*)|()
KafkaSchemaRegistryAccessConfig structure Type:KafkaSchemaRegistryAuthType URI:Arn
KafkaSchemaRegistryAccessConfigList list KafkaSchemaRegistryAccessConfig
KafkaSchemaRegistryAuthType string enum BASIC_AUTH|CLIENT_CERTIFICATE_TLS_AUTH|SERVER_ROOT_CA_CERTIFICATE
KafkaSchemaRegistryConfig structure SchemaRegistryURI:SchemaRegistryUri EventRecordFormat:SchemaRegistryEventRecordFormat AccessConfigs:KafkaSchemaRegistryAccessConfigList SchemaValidationConfigs:KafkaSchemaValidationConfigList
KafkaSchemaValidationAttribute string enum KEY|VALUE
KafkaSchemaValidationConfig structure Attribute:KafkaSchemaValidationAttribute
KafkaSchemaValidationConfigList list KafkaSchemaValidationConfig
LambdaManagedInstancesCapacityProviderConfig structure CapacityProviderArn!:CapacityProviderArn PerExecutionEnvironmentMaxConcurrency:PerExecutionEnvironmentMaxConcurrency ExecutionEnvironmentMemoryGiBPerVCpu:ExecutionEnvironmentMemoryGiBPerVCpu
LayerList list LayerVersionArn
LayerVersionArn string 1..2048 pattern ((arn:(aws[a-zA-Z-]*)?:lambda:(eusc-)?[a-z]{2}((-gov)|(-iso([a-z]?)))?-[a-z]+-\d{1}:\d{12}:layer:[a-zA-Z0-9-_]+:[0-9]+)|(arn:[a-zA-Z0-9-]+:lambda:::awslayer:[a-zA-Z0-9-_]+))
ListAliasesInput structure FunctionName!:FunctionName FunctionVersion:VersionWithLatestPublished Marker:String MaxItems:MaxListItems
ListEventSourceMappingsInput structure EventSourceArn:Arn FunctionName:NamespacedFunctionName Marker:String MaxItems:MaxListItems
ListFunctionsInput structure MasterRegion:MasterRegion FunctionVersion:FunctionVersion Marker:String MaxItems:MaxListItems
ListTagsInput structure Resource!:TaggableResource
ListVersionsByFunctionInput structure FunctionName!:NamespacedFunctionName Marker:String MaxItems:MaxListItems
LocalMountPath string 0..160 pattern /mnt/[a-zA-Z0-9-_.]+
LogFormat string enum JSON|Text
LogGroup string 1..512 pattern [\.\-_/#A-Za-z0-9]+
LogType string enum None|Tail
LoggingConfig structure LogFormat:LogFormat ApplicationLogLevel:ApplicationLogLevel SystemLogLevel:SystemLogLevel LogGroup:LogGroup
MasterRegion string 1..50 pattern ALL|(eusc-)?[a-z]{2}((-gov)|(-iso([a-z]?)))?-[a-z]+-\d{1}
MaxListItems integer 1..10000
MaximumBatchingWindowInSeconds integer 0..300
MaximumConcurrency integer 2..1000
MaximumNumberOfPollers integer 1..10000
MaximumRecordAgeInSeconds integer -1..604800
MaximumRetryAttemptsEventSourceMapping integer -1..10000
MemorySize integer 128..32768
MinimumNumberOfPollers integer 1..200
NamespacedFunctionName string 1..256 pattern (arn:(aws[a-zA-Z-]*)?:lambda:(eusc-)?[a-z]{2}((-gov)|(-iso([a-z]?)))?-[a-z]+-\d{1}:\d{12}:|(((eusc-)?[a-z]{2}((-gov)|(-iso([a-z]?)))?-[a-z]+-\d{1}:)?(\d{12}:)?))(function:)?([a-zA-Z0-9-_\.]+)(:(\$LATEST(\.PUBLISHED)?|[a-zA-Z0-9-_]+))?
NullableBoolean boolean
NumericLatestPublishedOrAliasQualifier string 1..128 pattern \$(LATEST(\.PUBLISHED)?)|[a-zA-Z0-9-_$]+
OnFailure structure Destination:DestinationArn
OnSuccess structure Destination:DestinationArn
PackageType string enum Zip|Image
ParallelizationFactor integer 1..10
Pattern string 0..4096 pattern [\s\S]*
PerExecutionEnvironmentMaxConcurrency integer 1..1600
ProvisionedPollerConfig structure MinimumPollers:MinimumNumberOfPollers MaximumPollers:MaximumNumberOfPollers PollerGroupName:ProvisionedPollerGroupName
ProvisionedPollerGroupName string 0..128 pattern [a-zA-Z0-9-_]*
PutFunctionConcurrencyInput structure FunctionName!:FunctionName ReservedConcurrentExecutions!:ReservedConcurrentExecutions
Queue string 1..1000 pattern [\s\S]*
Queues list Queue 1..1
ReservedConcurrentExecutions integer 0..
ResourceArn string 0..10000 pattern (arn:(aws[a-zA-Z-]*)?:[a-z0-9-.]+:.*)|()
RetentionPeriodInDays integer 1..90
RoleArn string 0..10000 pattern arn:(aws[a-zA-Z-]*)?:iam::\d{12}:role/?[a-zA-Z_0-9+=,.@\-_/]+
Runtime string enum nodejs|nodejs4.3|nodejs6.10|nodejs8.10|nodejs10.x|nodejs12.x|nodejs14.x|nodejs16.x|nodejs18.x|nodejs20.x|nodejs22.x|nodejs24.x|java8|java8.al2|java11|java17|java21|java25|python2.7|python3.6|python3.7|python3.8|python3.9|python3.10|python3.11|python3.12|python3.13|python3.14|dotnetcore1.0|dotnetcore2.0|dotnetcore2.1|dotnetcore3.1|dotnet6|dotnet8|dotnet10|nodejs4.3-edge|go1.x|ruby2.5|ruby2.7|ruby3.2|ruby3.3|ruby3.4|ruby4.0|provided|provided.al2|provided.al2023|nodejs26.x|python3.15|java8.al2023|java11.al2023|java17.al2023
S3Bucket string 3..63 pattern [0-9A-Za-z\.\-_]*(?<!\.)
S3Key string 1..1024 pattern .*
S3ObjectStorageMode string enum COPY|REFERENCE
S3ObjectVersion string 1..1024 pattern .*
ScalingConfig structure MaximumConcurrency:MaximumConcurrency
SchemaRegistryEventRecordFormat string enum JSON|SOURCE
SchemaRegistryUri string 1..10000 pattern [a-zA-Z0-9-\/*:_+=.@-]*
SecurityGroupId string 0..1024 pattern sg-[0-9a-zA-Z]*
SecurityGroupIds list SecurityGroupId 0..5
SelfManagedEventSource structure Endpoints:Endpoints
SelfManagedKafkaEventSourceConfig structure ConsumerGroupId:URI SchemaRegistryConfig:KafkaSchemaRegistryConfig
SnapStart structure ApplyOn:SnapStartApplyOn
SnapStartApplyOn string enum PublishedVersions|None
SourceAccessConfiguration structure Type:SourceAccessType URI:URI
SourceAccessConfigurations list SourceAccessConfiguration 0..23
SourceAccessType string enum BASIC_AUTH|VPC_SUBNET|VPC_SECURITY_GROUP|SASL_SCRAM_512_AUTH|SASL_SCRAM_256_AUTH|VIRTUAL_HOST|CLIENT_CERTIFICATE_TLS_AUTH|SERVER_ROOT_CA_CERTIFICATE
String string
StringList list String 0..1500
SubnetId string 0..1024 pattern subnet-[0-9a-z]*
SubnetIds list SubnetId 0..16
SystemLogLevel string enum DEBUG|INFO|WARN
TagKey string 1..128 pattern ([\p{L}\p{Z}\p{N}_.:/=+\-@]*)
TagKeyList list TagKey
TagResourceInput structure Resource!:TaggableResource Tags!:Tags
TagValue string 0..256 pattern ([\p{L}\p{Z}\p{N}_.:/=+\-@]*)
TaggableResource string 1..10000 pattern arn:(aws[a-zA-Z-]*):lambda:(eusc-)?[a-z]{2}((-gov)|(-iso([a-z]?)))?-[a-z]+-\d{1}:\d{12}:(function:[a-zA-Z0-9-_]+(:(\$LATEST|[a-zA-Z0-9-_]+))?|code-signing-config:csc-[a-z0-9]{17}|event-source-mapping:[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|(capacity-provider|network-connector):[a-zA-Z0-9-_]{1,64})
Tags map TagValue
TenancyConfig structure TenantIsolationMode!:TenantIsolationMode
TenantId string 1..256 pattern [a-zA-Z0-9\._:\/=+\-@ ]+
TenantIsolationMode string enum PER_TENANT
Timeout integer 1..5400
Topic string 1..249 pattern [^.]([a-zA-Z0-9\-_.]+)
Topics list Topic 1..1
TracingConfig structure Mode:TracingMode
TracingMode string enum Active|PassThrough
TumblingWindowInSeconds integer 0..900
URI string 1..200 pattern [ a-zA-Z0-9-\/*:_+=.@-]*
UUIDString string 36..36
UnqualifiedFunctionName string 1..140 pattern (arn:(aws[a-zA-Z-]*)?:lambda:)?((eusc-)?[a-z]{2}((-gov)|(-iso([a-z]?)))?-[a-z]+-\d{1}:)?(\d{12}:)?(function:)?([a-zA-Z0-9-_]+)
UntagResourceInput structure Resource!:TaggableResource TagKeys!:TagKeyList
UpdateEventSourceMappingInput structure UUID!:UUIDString FunctionName:NamespacedFunctionName Enabled:Enabled BatchSize:BatchSize FilterCriteria:FilterCriteria KMSKeyArn:KMSKeyArn MetricsConfig:EventSourceMappingMetricsConfig LoggingConfig:EventSourceMappingLoggingConfig ScalingConfig:ScalingConfig MaximumBatchingWindowInSeconds:MaximumBatchingWindowInSeconds ParallelizationFactor:ParallelizationFactor DestinationConfig:DestinationConfig MaximumRecordAgeInSeconds:MaximumRecordAgeInSeconds BisectBatchOnFunctionError:BisectBatchOnFunctionError MaximumRetryAttempts:MaximumRetryAttemptsEventSourceMapping TumblingWindowInSeconds:TumblingWindowInSeconds SourceAccessConfigurations:SourceAccessConfigurations FunctionResponseTypes:FunctionResponseTypeList AmazonManagedKafkaEventSourceConfig:AmazonManagedKafkaEventSourceConfig SelfManagedKafkaEventSourceConfig:SelfManagedKafkaEventSourceConfig DocumentDBEventSourceConfig:DocumentDBEventSourceConfig ProvisionedPollerConfig:ProvisionedPollerConfig
UpdateFunctionCodeInput structure FunctionName!:FunctionName ZipFile:Blob S3Bucket:S3Bucket S3Key:S3Key S3ObjectVersion:S3ObjectVersion S3ObjectStorageMode:S3ObjectStorageMode ImageUri:String Architectures:ArchitecturesList Publish:Boolean PublishTo:FunctionVersionLatestPublished DryRun:Boolean RevisionId:String SourceKMSKeyArn:KMSKeyArn
UpdateFunctionConfigurationInput structure FunctionName!:FunctionName Role:RoleArn Handler:Handler Description:Description Timeout:Timeout MemorySize:MemorySize VpcConfig:VpcConfig Environment:Environment Runtime:Runtime DeadLetterConfig:DeadLetterConfig KMSKeyArn:KMSKeyArn TracingConfig:TracingConfig RevisionId:String Layers:LayerList FileSystemConfigs:FileSystemConfigList ImageConfig:ImageConfig EphemeralStorage:EphemeralStorage SnapStart:SnapStart LoggingConfig:LoggingConfig CapacityProviderConfig:CapacityProviderConfig DurableConfig:DurableConfig
VersionWithLatestPublished string 1..1024 pattern (\$LATEST(\.PUBLISHED)?|[0-9]+)
VpcConfig structure SubnetIds:SubnetIds SecurityGroupIds:SecurityGroupIds Ipv6AllowedForDualStack:NullableBoolean
WorkingDirectory string 0..1000
`
