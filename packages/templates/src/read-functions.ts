import { existsSync, readFileSync, statSync } from 'node:fs'
import { readSamFunctions } from './cloudformation/sam-functions.ts'
import type { FunctionDesign } from './function-design.ts'
import { parseText } from './parse-text.ts'
import { readServerlessFunctions } from './serverless/serverless-functions.ts'
import { isObject, type ReadOptions } from './table-design.ts'

/** The functions that a SAM template or a serverless.yml declares. Other files have none whose code is here. */
export function readFunctions(path: string, options: ReadOptions): readonly FunctionDesign[] {
  if (!existsSync(path) || !statSync(path).isFile() || !/\.(ya?ml|json)$/.test(path)) return []
  const document = parseText(readFileSync(path, 'utf8'), path)
  if (!isObject(document)) return []
  if (isObject(document['Resources'])) return readSamFunctions(document, path, options)
  if ('service' in document && 'provider' in document) return readServerlessFunctions(document, path, options)
  return []
}
