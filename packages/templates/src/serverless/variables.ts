import { dirname, resolve } from 'node:path'
import { parseText } from '../parse-text.ts'
import { readText } from '../read-text.ts'
import { isObject, type Json, type JsonObject, type ReadOptions, plainText } from '../table-design.ts'
import { TextBudget } from '../text-budget.ts'

/** Replaces the Serverless Framework's variables: `${self:custom.x}`, `${opt:stage, 'dev'}`, `${env:NAME}`, `${file(x.yml):key}`. What is not
 *  known stays as it was written, and CloudFormation's own `${AWS::Region}` does too. */
export class Variables {
  readonly #document: JsonObject
  readonly #file: string
  readonly #options: ReadOptions
  /** Those that are being looked up: one that leads to itself is not known. */
  readonly #open = new Set<string>()
  readonly #found = new Map<string, Json | undefined>()
  readonly #budget = new TextBudget()

  constructor(document: JsonObject, file: string, options: ReadOptions) {
    this.#document = document
    this.#file = file
    this.#options = options
  }

  resolve(value: Json, depth = 0): Json {
    if (Array.isArray(value)) return (value as readonly Json[]).map((part) => this.resolve(part))
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, this.resolve(part)]))
    if (typeof value !== 'string' || depth > 20) return value
    // The innermost first: ${self:custom.${opt:stage}.table}
    const whole = /^\$\{([^${}]+)\}$/.exec(value)
    if (whole !== null) return this.#find(whole[1] ?? '') ?? value
    const replaced = value.replaceAll(/\$\{([^${}]+)\}/g, (text, inner: string) => {
      const found = this.#find(inner)
      return found === undefined || isObject(found) || Array.isArray(found) ? text : plainText(found)
    })
    return replaced === value ? value : this.resolve(replaced, depth + 1)
  }

  /** What a variable is, with all that it leads to. */
  #find(expression: string): Json | undefined {
    if (this.#open.has(expression)) return undefined
    if (!this.#found.has(expression)) {
      this.#open.add(expression)
      try {
        const found = this.#firstOf(expression)
        this.#found.set(expression, found === undefined ? undefined : this.resolve(found))
      } finally {
        this.#open.delete(expression)
      }
    }
    const found = this.#found.get(expression)
    return found === undefined || this.#budget.take(found) ? found : undefined
  }

  #firstOf(expression: string): Json | undefined {
    for (const part of expression.split(/,\s*(?=(?:[^']*'[^']*')*[^']*$)/)) {
      const found = this.#one(part.trim())
      if (found !== undefined && found !== null) return found
    }
    return undefined
  }

  #one(word: string): Json | undefined {
    const literal = /^(?:'(.*)'|"(.*)")$/.exec(word)
    if (literal !== null) return literal[1] ?? literal[2]
    if (/^(true|false|null|-?\d+(\.\d+)?)$/.test(word)) return JSON.parse(word) as Json
    const file = /^file\(([^)]+)\)(?::(.*))?$/.exec(word)
    if (file !== null) return this.#fromFile(file[1] ?? '', file[2])
    const [, source = '', path = ''] = /^([a-z]+)(?:\([^)]*\))?:(.*)$/i.exec(word) ?? []
    switch (source) {
      case 'self':
        // Services that do not say their stage have always relied on this one.
        return (
          this.#at(this.#document, path) ?? (path === 'provider.stage' ? (this.#options.stage ?? 'dev') : undefined)
        )
      case 'opt':
        return path === 'stage' ? this.#options.stage : path === 'region' ? this.#options.region : undefined
      case 'sls':
        return path === 'stage' ? this.stage() : path === 'instanceId' ? 'local' : undefined
      case 'param':
        return this.#options.parameters?.get(path) ?? this.#declaredParameter(path)
      case 'env':
        return process.env[path]
      case 'aws':
        return path === 'region' ? this.#options.region : path === 'accountId' ? this.#options.accountId : undefined
      default:
        return undefined
    }
  }

  stage(): string {
    const declared = this.#at(this.#document, 'provider.stage')
    if (this.#options.stage !== undefined) return this.#options.stage
    const found =
      typeof declared === 'string' && !declared.includes('${sls:stage') ? this.resolve(declared) : undefined
    return typeof found === 'string' && !found.includes('${') ? found : 'dev'
  }

  /** What a path names, through variables on the way: `custom.tables` may be a file. */
  #at(value: Json, path: string): Json | undefined {
    let found: Json | undefined = value
    for (const part of path === '' ? [] : path.split('.')) {
      if (typeof found === 'string') found = this.resolve(found)
      if (Array.isArray(found)) found = (found as readonly Json[])[Number(part)]
      else found = isObject(found) && Object.hasOwn(found, part) ? found[part] : undefined
    }
    return found
  }

  #declaredParameter(name: string): Json | undefined {
    return (
      this.#at(this.#document, `params.${this.stage()}.${name}`) ??
      this.#at(this.#document, `params.default.${name}`)
    )
  }

  #fromFile(name: string, path: string | undefined): Json | undefined {
    try {
      const file = resolve(dirname(this.#file), plainText(this.resolve(name)))
      const content = /\.(ya?ml|json)$/.test(file) ? parseText(readText(file), file) : undefined
      return content === undefined || path === undefined ? content : this.#at(content, path)
    } catch {
      return undefined
    }
  }
}
