import type { ConstraintErrors } from './constraint-errors.ts'
import type { ScalarShape } from './shapes.ts'

const pattern = '[a-zA-Z0-9_.-]+'
const onlyAllowedCharacters = /^[a-zA-Z0-9_.-]+$/
const shape: ScalarShape = { kind: 'string', name: 'TableArn' }

export const tableNameConstraints: readonly string[] = [
  'Member must have length less than or equal to 255',
  'Member must have length greater than or equal to 3',
  `Member must satisfy regular expression pattern: ${pattern}`,
]

/** The model allows any text of 1 to 1,024 characters, because a table's ARN can be used instead of its name. What is
 *  not an ARN must follow the rules for names. */
export function checkTableName(value: unknown, path: string, errors: ConstraintErrors): void {
  const name = String(value)
  if (isTableName(name)) return
  if (name === '') {
    errors.add(name, shape, path, 'Member must have length greater than or equal to 1')
  } else if (name.length > 1024) {
    errors.add(name, shape, path, 'Member must have length less than or equal to 1024')
  } else {
    if (!onlyAllowedCharacters.test(name)) {
      errors.add(name, shape, path, `Member must satisfy regular expression pattern: ${pattern}`)
    }
    if (name.length < 3) errors.add(name, shape, path, 'Member must have length greater than or equal to 3')
    if (name.length > 255) errors.add(name, shape, path, 'Member must have length less than or equal to 255')
  }
}

/** Whether it may be sent as a table name. An ARN is only recognised here; `readTableName` parses it. */
export function isTableName(name: string): boolean {
  if (name.startsWith('arn:')) return name.length <= 1024
  return name.length >= 3 && name.length <= 255 && onlyAllowedCharacters.test(name)
}
