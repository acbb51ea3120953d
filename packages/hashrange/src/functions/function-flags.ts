export const functionFlags = {
  function: { type: 'string', multiple: true },
  trigger: { type: 'string', multiple: true },
  config: { type: 'string' },
  'function-uploads': { type: 'boolean' },
} as const

interface Values {
  readonly function?: string[] | undefined
  readonly trigger?: string[] | undefined
  readonly config?: string | undefined
  readonly 'function-uploads'?: boolean | undefined
}

export interface FunctionSettings {
  /** `name=functions/on-order.handler`, and other places where code is. */
  readonly functions?: readonly NamedPlace[] | undefined
  /** `Orders=name`: a table, and the function that gets its changes; or `kinesis:clicks=name`. */
  readonly triggers?: readonly NamedPlace[] | undefined
  /** A file that declares functions and triggers. */
  readonly config?: string | undefined
  /** Whether a server that other machines can reach takes code from them. */
  readonly functionUploads?: boolean | undefined
}

export interface NamedPlace {
  readonly name: string
  readonly place: string
}

/** The flags about functions, or what is wrong with them. `setting` reads the environment. */
export function readFunctionFlags(
  values: Values,
  setting: (name: string) => string | undefined,
  isOn: (value: string | undefined) => boolean,
): FunctionSettings | { readonly mistake: string } {
  const functions = (values.function ?? setting('HASHRANGE_FUNCTIONS')?.split(',') ?? []).map(namedPlace)
  const triggers = (values.trigger ?? setting('HASHRANGE_TRIGGERS')?.split(',') ?? []).map(namedPlace)
  const wrongFunction = functions.find(({ name, place }) => !/^[\w-]{1,64}$/.test(name) || place === '')
  if (wrongFunction !== undefined) {
    return {
      mistake: `--function takes a name and where the function is, such as on-order=functions/on-order.handler, not "${flagText(wrongFunction)}".`,
    }
  }
  const wrongTrigger = triggers.find(
    ({ name, place }) => !/^([\w.-]{3,255}|kinesis:[\w.-]{1,128})$/.test(name) || place === '',
  )
  if (wrongTrigger !== undefined) {
    return {
      mistake: `--trigger takes a table and a function, such as Orders=on-order, or a Kinesis stream, such as kinesis:clicks=on-click, not "${flagText(wrongTrigger)}".`,
    }
  }
  const functionUploads = values['function-uploads'] ?? isOn(setting('HASHRANGE_FUNCTION_UPLOADS'))
  const config = values.config ?? setting('HASHRANGE_CONFIG')
  return {
    ...(functions.length > 0 && { functions }),
    ...(triggers.length > 0 && { triggers }),
    ...(config !== undefined && { config }),
    ...(functionUploads && { functionUploads }),
  }
}

function namedPlace(text: string): NamedPlace {
  const at = text.indexOf('=')
  return at < 0 ? { name: text, place: '' } : { name: text.slice(0, at), place: text.slice(at + 1) }
}

function flagText({ name, place }: NamedPlace): string {
  return place === '' ? name : `${name}=${place}`
}
