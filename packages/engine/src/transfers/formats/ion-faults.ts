/** Why a row of Ion is not an item. */
export class IonFault extends Error {}

export function notAnItem(): IonFault {
  return new IonFault('The value is not a struct with a field "Item"')
}

export function noSuchType(type: string): IonFault {
  return new IonFault(`An item cannot hold Ion's type ${type}`)
}
