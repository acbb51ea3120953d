import type { PatternDescription } from '../description.ts'
import { ModelError } from '../errors.ts'
import type { EntityRuntime, PlainItem } from './entity-runtime.ts'
import { itemPath } from './item-path.ts'
import { isSameStored } from './stored-equal.ts'

type Change = (item: PlainItem) => PlainItem | undefined | Promise<PlainItem | undefined>
type Call = (key: PlainItem, change: unknown, ...more: readonly unknown[]) => Promise<unknown>

/** An update or modify that changes only what its pattern declares: the checker and the bill rely on it. */
export function withinDeclared(pattern: PatternDescription, entity: EntityRuntime, write: object): object {
  const { changes } = pattern
  if (changes === undefined) return write
  const { explain } = write as { readonly explain: Call }
  const held = (call: Call): Call => {
    if (pattern.action === 'modify') {
      return async (key, change, ...more) => call(key, heldChange(pattern, entity, change as Change), ...more)
    }
    return async (key, given, ...more) => {
      const names = Object.entries(given as PlainItem).flatMap(([name, value]) =>
        value === undefined ? [] : [itemPath(entity, name).attribute.name],
      )
      assertDeclared(pattern, names)
      return call(key, given, ...more)
    }
  }
  return Object.assign(held(write as Call), { explain: held(explain) })
}

function heldChange(pattern: PatternDescription, entity: EntityRuntime, change: Change): Change {
  return async (before) => {
    const after = await change({ ...before })
    if (after === undefined) return after
    const names = entity.attributes
      .filter(({ definition, described }) => definition.computed === undefined && described.isStored)
      .filter(({ name, codec, definition }) => {
        const [was, is] = [before[name], after[name]].map((value) =>
          value === undefined ? undefined : codec.encode(value, entity.pathOf(name)),
        )
        return definition.type !== 'version' && !isSameStored(was, is)
      })
    assertDeclared(
      pattern,
      names.map(({ name }) => name),
    )
    return after
  }
}

function assertDeclared({ name: pattern, changes = [] }: PatternDescription, names: readonly string[]): void {
  const other = names.find((name) => !changes.includes(name))
  if (other === undefined) return
  throw new ModelError(
    'INVALID_VALUE',
    `The pattern ${pattern} declares that it changes ${changes.join(', ')}, not ${other}. Add ${other} to its changes, or use another pattern.`,
    { pattern, attribute: other },
  )
}
