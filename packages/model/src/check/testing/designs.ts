import type { AnyModel } from '../../model/model.ts'
import { bookings } from './designs/bookings.ts'
import { chat } from './designs/chat.ts'
import { codeHost } from './designs/code-host.ts'
import { documents } from './designs/documents.ts'
import { fileTree } from './designs/file-tree.ts'
import { geo } from './designs/geo.ts'
import { ledger } from './designs/ledger.ts'
import { sensors } from './designs/sensors.ts'
import { store } from './designs/store.ts'
import { tenants } from './designs/tenants.ts'

/** Ten kinds of design as people make them: each is sound, and the checker must find it so, whatever data it makes. */
export const designs: Readonly<Record<string, () => AnyModel>> = {
  'a code host': codeHost,
  'a store': store,
  tenants,
  chat,
  sensors,
  bookings,
  'a file tree': fileTree,
  'a ledger': ledger,
  'versioned documents': documents,
  'a geo index': geo,
}
