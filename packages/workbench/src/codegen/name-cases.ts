/** `TableName` as `table_name`, `table-name` and `tableName`. */
export function snakeCase(name: string): string {
  return separated(name, '_')
}

export function kebabCase(name: string): string {
  return separated(name, '-')
}

export function camelCase(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

function separated(name: string, separator: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => separator + letter).toLowerCase()
}
