/** The service lists several keys in the order in which a Java hash set iterates over them: by the slot of each
 *  string's hash. `capacityFor` is the number of keys that the set was created for. */
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
