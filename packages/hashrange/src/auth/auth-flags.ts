export const authFlags = {
  auth: { type: 'boolean' },
  identities: { type: 'string' },
  'secret-key-file': { type: 'string' },
} as const

interface Values {
  readonly auth?: boolean | undefined
  readonly identities?: string | undefined
  readonly 'secret-key-file'?: string | undefined
}

export interface SecretKeySettings {
  /** The key of secrets itself, or the file that contains it. */
  readonly secretKey?: string | undefined
  readonly secretKeyFile?: string | undefined
}

export interface AuthSettings extends SecretKeySettings {
  /** Whether every request is verified. */
  readonly auth?: boolean | undefined
  /** The file that declares identities. */
  readonly identities?: string | undefined
  /** The key of the first administrator, if one was chosen. */
  readonly rootKey?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

/** The flags about a closed server, or what is wrong with them. `setting` reads the environment. */
export function readAuthFlags(
  values: Values,
  setting: (name: string) => string | undefined,
  isOn: (value: string | undefined) => boolean,
): AuthSettings | { readonly mistake: string } {
  const auth = values.auth ?? isOn(setting('HASHRANGE_AUTH'))
  const identities = values.identities ?? setting('HASHRANGE_IDENTITIES')
  const secrets = readSecretKeyFlags(values, setting)
  if ('mistake' in secrets) return secrets
  if (!auth) {
    if (values.identities === undefined) return secrets
    return { mistake: '--identities declares who may use a closed server. Add --auth to close it.' }
  }
  const accessKeyId = setting('HASHRANGE_ROOT_ACCESS_KEY_ID')
  const secretAccessKey = setting('HASHRANGE_ROOT_SECRET_ACCESS_KEY')
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    return {
      mistake:
        'HASHRANGE_ROOT_ACCESS_KEY_ID and HASHRANGE_ROOT_SECRET_ACCESS_KEY are needed together, or not at all.',
    }
  }
  if (accessKeyId === undefined || secretAccessKey === undefined) return { ...secrets, auth, identities }
  if (!/^\w{3,128}$/.test(accessKeyId)) {
    return { mistake: 'HASHRANGE_ROOT_ACCESS_KEY_ID must be 3 to 128 letters and digits.' }
  }
  if (secretAccessKey.length < 8) {
    return { mistake: 'HASHRANGE_ROOT_SECRET_ACCESS_KEY must be at least 8 characters long.' }
  }
  return { ...secrets, auth, identities, rootKey: { accessKeyId, secretAccessKey } }
}

export function readSecretKeyFlags(
  values: Pick<Values, 'secret-key-file'>,
  setting: (name: string) => string | undefined,
): SecretKeySettings | { readonly mistake: string } {
  const secretKeyFile = values['secret-key-file'] ?? setting('HASHRANGE_SECRET_KEY_FILE')
  if (secretKeyFile === '')
    return { mistake: '--secret-key-file needs a file, such as --secret-key-file secret.key.' }
  // Flags take precedence over the environment.
  if (values['secret-key-file'] !== undefined) return { secretKeyFile }
  const secretKey = setting('HASHRANGE_SECRET_KEY')
  return secretKey === undefined ? { secretKeyFile } : { secretKey }
}
