import type { RecordSpace, Scope } from '@hashrange/engine'
import { functionNotFound, readFunctionName } from './function-name.ts'
import type { FunctionRecord } from './function-record.ts'
import { functionArn, type DeclaredFunction, type LambdaFunction } from './lambda-function.ts'

/** How many calls of a function are in progress at a time, unless it says. AWS allows a thousand; here they share one
 *  machine. */
const usualConcurrency = 4
/** Of functions on this machine, which may have to be compiled first. AWS's default is three seconds. */
const declaredTimeoutSeconds = 30
const declaredMemoryMb = 512

/** All functions: those that the operator has declared come first, then those in the store. */
export class FunctionBook {
  readonly records: RecordSpace<FunctionRecord>
  readonly #declared = new Map<string, DeclaredFunction>()
  #revision = 0
  readonly #revisions = new Map<string, string>()

  constructor(records: RecordSpace<FunctionRecord>) {
    this.records = records
  }

  declare(declared: DeclaredFunction): void {
    this.#declared.set(declared.name, declared)
    this.#revisions.set(declared.name, `declared ${++this.#revision}`)
  }

  forget(name: string): void {
    this.#declared.delete(name)
  }

  isDeclared(name: string): boolean {
    return this.#declared.has(name)
  }

  async find(scope: Scope, name: string): Promise<LambdaFunction | undefined> {
    const declared = this.#declared.get(name)
    if (declared !== undefined) return this.#ofDeclared(scope, declared)
    const record = await this.records.get(scope, [name])
    return record && ofRecord(scope, record)
  }

  /** The function that a `FunctionName` of a request names. */
  async require(scope: Scope, functionName: string): Promise<LambdaFunction> {
    const name = readFunctionName(scope, functionName)
    const found = await this.find(scope, name)
    if (found === undefined) throw functionNotFound(functionArn(scope, name))
    return found
  }

  async list(scope: Scope): Promise<readonly LambdaFunction[]> {
    const records = await this.records.list(scope)
    const stored = records.filter(({ name }) => !this.#declared.has(name)).map((record) => ofRecord(scope, record))
    const declared = [...this.#declared.values()]
      .filter(({ code }) => code.kind !== 'handler')
      .map((one) => this.#ofDeclared(scope, one))
    return [...declared, ...stored].toSorted((one, other) => (one.name < other.name ? -1 : 1))
  }

  #ofDeclared(scope: Scope, declared: DeclaredFunction): LambdaFunction {
    const { name, code, timeoutSeconds, memoryMb, environment, concurrency, role } = declared
    return {
      scope,
      name,
      code,
      timeoutSeconds: timeoutSeconds ?? declaredTimeoutSeconds,
      memoryMb: memoryMb ?? declaredMemoryMb,
      environment: environment ?? {},
      concurrency: concurrency ?? usualConcurrency,
      role,
      revision: this.#revisions.get(name) ?? '',
    }
  }
}

function ofRecord(scope: Scope, record: FunctionRecord): LambdaFunction {
  const { name, timeoutSeconds, memoryMb, environment, reservedConcurrency, role, revisionId } = record
  return {
    scope,
    name,
    code: { kind: 'stored', record },
    timeoutSeconds,
    memoryMb,
    environment,
    concurrency: reservedConcurrency ?? usualConcurrency,
    role,
    revision: revisionId,
  }
}
