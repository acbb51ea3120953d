/** The service keeps attribute names in Java's hash sets, and prints them in the order in which those iterate: by
 *  bucket, then by insertion. Clients never depend on it, but comparisons of error messages do. */
export function javaHashOrder(names: readonly string[], capacity = 16): readonly string[] {
  const unique = [...new Set(names)]
  const buckets = bucketCount(unique.length, capacity)
  return unique
    .map((name) => ({ name, bucket: spread(javaHashCode(name)) & (buckets - 1) }))
    .toSorted((left, right) => left.bucket - right.bucket)
    .map(({ name }) => name)
}

/** The capacity of a set that was told how many elements to expect. */
export function capacityFor(expected: number): number {
  return expected < 3 ? expected + 1 : Math.floor(expected / 0.75 + 1)
}

/** A power of two, doubled whenever the set is three quarters full. */
function bucketCount(size: number, capacity: number): number {
  let count = 1
  while (count < capacity) count *= 2
  while (size > count * 0.75) count *= 2
  return count
}

function javaHashCode(text: string): number {
  let hash = 0
  for (let index = 0; index < text.length; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0
  return hash
}

function spread(hash: number): number {
  return hash ^ (hash >>> 16)
}
