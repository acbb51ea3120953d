import type { AttributeValue } from '@aws-sdk/client-dynamodb'

type Image = Record<string, AttributeValue>

/** An item of a record as the SDK has it: JSON carries binary values as base64. */
export function imageOf(raw: Readonly<Record<string, unknown>> | undefined): Image | undefined {
  if (raw === undefined || raw === null) return undefined
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, valueOf(value)]))
}

function valueOf(raw: unknown): AttributeValue {
  const value = raw as AttributeValue
  const binary: unknown = value.B
  if (typeof binary === 'string') return { B: bytesOf(binary) }
  if (value.BS !== undefined)
    return {
      BS: value.BS.map((each: unknown) => (typeof each === 'string' ? bytesOf(each) : (each as Uint8Array))),
    }
  if (value.L !== undefined) return { L: value.L.map(valueOf) }
  if (value.M !== undefined) return { M: imageOf(value.M) ?? {} }
  return value
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (char) => char.codePointAt(0) ?? 0)
}
