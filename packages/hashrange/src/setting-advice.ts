import type { AccessAdvice } from '@hashrange/server'
import type { Advised } from './storage-advice.ts'

export interface SettingAdvice extends AccessAdvice {
  ofReceiver(prefix: string): string
  readonly ofBuckets: string
  readonly ofExportKey: string
}

/** Which setting allows what is rejected without it. The layers below know what they reject, but none of our flags
 *  and options. */
export function settingAdvice(advised: Advised): SettingAdvice {
  return advised === 'command' ? flags : options
}

const flags: SettingAdvice = {
  ofHost: (name) => `If the name is yours, start hashrange with --allowed-hosts ${name}.`,
  ofOrigin: (origin) => `If the page is yours, start hashrange with --cors ${origin}.`,
  ofReceiver: (prefix) => `To allow it, start hashrange with --webhooks ${prefix}`,
  ofBuckets: 'Start hashrange with --buckets FOLDER.',
  ofExportKey: 'Name a file that contains its key with --export-key-file.',
}

const options: SettingAdvice = {
  ofHost: (name) => `If the name is yours, listen with allowedHosts: ['${name}'].`,
  ofOrigin: (origin) => `If the page is yours, listen with cors: ['${origin}'].`,
  ofReceiver: (prefix) => `To allow it, open the database with webhooks: ['${prefix}']`,
  ofBuckets: "Open the database with buckets: './folder'.",
  ofExportKey: 'Open the database with its key as exportKey.',
}
