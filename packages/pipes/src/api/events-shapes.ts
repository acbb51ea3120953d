import { ShapeBook, serviceInputReader, type ReadServiceInput } from '@hashrange/engine'

/** The input shapes of EventBridge that are about HTTP endpoints, after its API model of 2015-10-07. Its patterns of
 *  header fields are written so that no text takes long to compare. */
const shapeLines = String.raw`
ApiKeyAuth structure ApiKeyName!:AuthText ApiKeyValue!:AuthText
AuthParameters structure BasicAuthParameters:BasicAuth OAuthParameters:OAuth ApiKeyAuthParameters:ApiKeyAuth InvocationHttpParameters:HttpParameters
AuthText string 1..512 pattern [^\x00-\x08\x0A-\x1F:\x7F]+
AuthorizationType string enum BASIC|OAUTH_CLIENT_CREDENTIALS|API_KEY
BasicAuth structure Username!:AuthText Password!:AuthText
BodyParameter structure Key:Text Value:Text IsValueSecret:Flag
BodyParameters list BodyParameter 0..100
ConnectionArn string 1..1600 pattern arn:aws[a-z\-]*:events:[a-z0-9\-]*:([0-9]{12})?:connection\/[.\-_A-Za-z0-9]+\/[\-A-Za-z0-9]+
CreateApiDestinationInput structure Name!:Name Description:Description ConnectionArn!:ConnectionArn InvocationEndpoint!:Endpoint HttpMethod!:HttpMethod InvocationRateLimitPerSecond:RateLimit
CreateConnectionInput structure Name!:Name Description:Description AuthorizationType!:AuthorizationType AuthParameters!:AuthParameters KmsKeyIdentifier:Text
DeleteApiDestinationInput structure Name!:Name
DeleteConnectionInput structure Name!:Name
DescribeApiDestinationInput structure Name!:Name
DescribeConnectionInput structure Name!:Name
Description string 0..512
Endpoint string 1..2048 pattern (%[0-9A-Fa-f]{2}|[\-()_.!~*';\/?:@&=+$,A-Za-z0-9])+
Flag boolean
HeaderKey string 0..512 pattern [!#$%&'*+-.^_|~0-9a-zA-Z]+
HeaderParameter structure Key:HeaderKey Value:HeaderText IsValueSecret:Flag
HeaderParameters list HeaderParameter 0..100
HeaderText string 0..512 pattern [\t\x20-\x7E]*
HttpMethod string enum POST|GET|HEAD|OPTIONS|PUT|PATCH|DELETE
HttpParameters structure HeaderParameters:HeaderParameters QueryStringParameters:QueryParameters BodyParameters:BodyParameters
Limit integer 1..100
ListApiDestinationsInput structure NamePrefix:Name ConnectionArn:ConnectionArn NextToken:NextToken Limit:Limit
ListConnectionsInput structure NamePrefix:Name ConnectionState:Text NextToken:NextToken Limit:Limit
Name string 1..64 pattern [.\-_A-Za-z0-9]+
NextToken string 1..2048
OAuth structure ClientParameters:OAuthClient AuthorizationEndpoint:Endpoint HttpMethod:OAuthMethod OAuthHttpParameters:HttpParameters
OAuthClient structure ClientID!:AuthText ClientSecret!:AuthText
OAuthMethod string enum GET|POST|PUT
QueryParameter structure Key:QueryText Value:QueryText IsValueSecret:Flag
QueryParameters list QueryParameter 0..100
QueryText string 0..512 pattern [^\x00-\x1F\x7F]+
RateLimit integer 1..1000000
Text string 0..2048
UpdateApiDestinationInput structure Name!:Name Description:Description ConnectionArn:ConnectionArn InvocationEndpoint:Endpoint HttpMethod:HttpMethod InvocationRateLimitPerSecond:RateLimit
UpdateConnectionInput structure Name!:Name Description:Description AuthorizationType:AuthorizationType AuthParameters:AuthParameters KmsKeyIdentifier:Text
`

export const readEventsInput: ReadServiceInput = serviceInputReader(new ShapeBook(shapeLines))
