import type { FunctionRecord } from './function-record.ts'
import { functionArn, roleOf, type LambdaFunction } from './lambda-function.ts'

/** `FunctionConfiguration` on the wire. */
export function describeFunction(described: LambdaFunction): object {
  const { scope, name, code, timeoutSeconds, memoryMb, environment } = described
  const stored = code.kind === 'stored' ? code.record : undefined
  return {
    FunctionName: name,
    FunctionArn: functionArn(scope, name),
    ...codeOf(described, stored),
    Role: roleOf(scope, described),
    Description: stored?.description ?? '',
    Timeout: timeoutSeconds,
    MemorySize: memoryMb,
    LastModified: new Date(stored?.modifiedAtMs ?? 0).toISOString().replace('Z', '+0000'),
    Version: '$LATEST',
    ...(Object.keys(environment).length > 0 && { Environment: { Variables: environment } }),
    TracingConfig: { Mode: 'PassThrough' },
    RevisionId: described.revision,
    State: 'Active',
    LastUpdateStatus: 'Successful',
    PackageType: 'Zip',
    Architectures: stored?.architectures ?? ['x86_64'],
    EphemeralStorage: { Size: 512 },
    SnapStart: { ApplyOn: 'None', OptimizationStatus: 'Off' },
    LoggingConfig: { LogFormat: 'Text', LogGroup: `/aws/lambda/${name}` },
  }
}

function codeOf({ code }: LambdaFunction, stored: FunctionRecord | undefined): object {
  if (stored !== undefined) {
    const { runtime, handler, codeBytes, codeSha256 } = stored
    return { Runtime: runtime, Handler: handler, CodeSize: codeBytes, CodeSha256: codeSha256 }
  }
  const none = { CodeSize: 0, CodeSha256: '' }
  if (code.kind === 'file') return { Runtime: 'nodejs20.x', Handler: `${code.path}:${code.exportName}`, ...none }
  return { Runtime: 'provided.al2023', Handler: code.kind === 'url' ? code.url : 'bootstrap', ...none }
}
