/** The service lists several keys in the order in which a Java hash set iterates them: by the slot that each string's
 *  hash falls in. `capacityFor` is the number of keys the set was made for. */
export function hashSetOrder(keys: readonly string[], capacityFor: number): readonly string[] {
  if (keys.length < 2) return keys
  const slots = slotCount(capacityFor)
  return keys
    .map((key) => ({ key, slot: slotOf(key, slots) }))
    .toSorted((a, b) => a.slot - b.slot)
    .map(({ key }) => key)
}

function slotCount(size: number): number {
  const wanted = Math.max(Math.floor(size / 0.75) + 1, 16)
  let slots = 16
  while (slots < wanted) slots *= 2
  return slots
}

function slotOf(key: string, slots: number): number {
  let hash = 0
  for (let index = 0; index < key.length; index++) hash = (Math.imul(31, hash) + key.charCodeAt(index)) | 0
  return (hash ^ (hash >>> 16)) & (slots - 1)
}
