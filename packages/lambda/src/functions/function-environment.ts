import type { LambdaFunction } from './lambda-function.ts'

export interface FunctionCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

export interface EnvironmentOf {
  readonly called: LambdaFunction
  /** Where this server listens. */
  readonly endpoint: string
  readonly credentials: FunctionCredentials
  readonly handler: string
  readonly folder: string
  readonly runtime: string
}

/** The environment of a function: that of the server, without what is meant for the server or leads to AWS, and with what
 *  Lambda sets. The SDK of a function reaches this server with it. */
export function functionEnvironment({
  called,
  endpoint,
  credentials,
  handler,
  folder,
  runtime,
}: EnvironmentOf): Record<string, string> {
  const { scope, name, memoryMb } = called
  const environment: Record<string, string> = {}
  for (const [variable, value] of Object.entries(process.env)) {
    if (value !== undefined && !isServersOwn(variable)) environment[variable] = value
  }
  return {
    ...environment,
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_EXECUTION_ENV: `AWS_Lambda_${runtime}`,
    LAMBDA_TASK_ROOT: folder,
    _HANDLER: handler,
    ...called.environment,
    AWS_REGION: scope.region,
    AWS_DEFAULT_REGION: scope.region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    ...(credentials.sessionToken !== undefined && { AWS_SESSION_TOKEN: credentials.sessionToken }),
    AWS_ENDPOINT_URL: endpoint,
  }
}

/** What could lead to AWS, or is a secret of the server. */
function isServersOwn(variable: string): boolean {
  return variable.startsWith('AWS_') || variable.startsWith('HASHRANGE_') || variable.startsWith('PG')
}
