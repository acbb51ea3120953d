import { conditionCases } from './conditions.ts'
import { elementCases } from './elements.ts'
import { fineGrained } from './fine-grained.ts'
import { kindCases } from './kinds.ts'
import { operationCases } from './operations.ts'
import { tableCases } from './tables.ts'
import type { CaseGroup } from './policy-case.ts'

export const policyCases: readonly CaseGroup[] = [
  ...fineGrained,
  ...operationCases,
  ...tableCases,
  ...elementCases,
  ...conditionCases,
  ...kindCases,
]
