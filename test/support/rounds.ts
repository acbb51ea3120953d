/** How often something random is tried: `few` in `npm test`, and `all` where HASHRANGE_ROUNDS is `all`, as every night. */
export function rounds(few: number, all: number): number {
  return process.env['HASHRANGE_ROUNDS'] === 'all' ? all : few
}
