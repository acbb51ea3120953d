import type { Scope } from '@hashrange/engine'
import type { FunctionRecord } from './function-record.ts'
import type { InProcessHandler } from './in-process-runner.ts'

/** Where the code of a function is. */
export type FunctionCode =
  /** A file in JavaScript or TypeScript, and the name under which it exports the handler. */
  | { readonly kind: 'file'; readonly path: string; readonly exportName: string }
  /** A program that speaks the runtime API. */
  | { readonly kind: 'command'; readonly command: readonly string[]; readonly folder: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'handler'; readonly handler: InProcessHandler }
  /** A package that was sent to the server, and is in the store. */
  | { readonly kind: 'stored'; readonly record: FunctionRecord }

/** A function, however it came to be known. */
export interface LambdaFunction {
  readonly scope: Scope
  readonly name: string
  readonly code: FunctionCode
  readonly timeoutSeconds: number
  readonly memoryMb: number
  readonly environment: Readonly<Record<string, string>>
  /** How many of its calls may be in progress at a time. */
  readonly concurrency: number
  /** On a closed server, the role whose rights it has. */
  readonly role?: string | undefined
  /** Changes with every change of the function. */
  readonly revision: string
}

/** A function that the operator has declared. It is there in every account and region. */
export interface DeclaredFunction {
  readonly name: string
  readonly code: Exclude<FunctionCode, { readonly kind: 'stored' }>
  readonly timeoutSeconds?: number | undefined
  readonly memoryMb?: number | undefined
  readonly environment?: Readonly<Record<string, string>> | undefined
  readonly concurrency?: number | undefined
  readonly role?: string | undefined
}

/** The ARN of its role. A function that the operator has declared may have none. */
export function roleOf({ accountId }: Scope, { role }: Pick<LambdaFunction, 'role'> = {}): string {
  return role ?? `arn:aws:iam::${accountId}:role/local`
}

export function functionArn({ accountId, region }: Scope, name: string): string {
  return `arn:aws:lambda:${region}:${accountId}:function:${name}`
}
