import { encodeBase64 } from '@hashrange/core'
import { isRecord } from '../../api/is-record.ts'
import { IonFault } from './ion-faults.ts'

/** An attribute value as it was read from Ion, not yet checked. */
export type IonValue = Readonly<Record<string, unknown>>

/** Deeper than any item may be: the service's own error comes later, this only bounds the recursion. */
export const deepestIon = 40

export function ionBinary(bytes: Uint8Array): IonValue {
  return { B: encodeBase64(bytes) }
}

/** A list; with one of DynamoDB's annotations, a set. */
export function ionList(annotations: readonly string[], elements: readonly IonValue[]): IonValue {
  for (const annotation of annotations) {
    switch (annotation) {
      case '$dynamodb_SS':
        return { SS: members(elements, 'S') }
      case '$dynamodb_NS':
        return { NS: members(elements, 'N') }
      case '$dynamodb_BS':
        return { BS: members(elements, 'B') }
      default:
    }
  }
  return { L: elements }
}

/** A struct that is being read. Its fields' names are the file's choice, `__proto__` among them. */
export class IonStruct {
  readonly #fields: Record<string, IonValue> = {}

  set(name: string, value: IonValue): void {
    if (name === '__proto__') {
      Object.defineProperty(this.#fields, name, { value, enumerable: true, configurable: true, writable: true })
    } else {
      this.#fields[name] = value
    }
  }

  get value(): IonValue {
    return { M: this.#fields }
  }
}

/** The item of a row: a struct whose field `Item` is a struct. */
export function itemOf(row: IonValue): unknown {
  const outer = row['M']
  const item = isRecord(outer) && Object.hasOwn(outer, 'Item') ? outer['Item'] : undefined
  return isRecord(item) && Object.hasOwn(item, 'M') ? item['M'] : undefined
}

function members(elements: readonly IonValue[], type: 'S' | 'N' | 'B'): readonly unknown[] {
  return elements.map((element) => {
    if (!Object.hasOwn(element, type)) throw new IonFault(`A member of a set is not of the type ${type}`)
    return element[type]
  })
}
