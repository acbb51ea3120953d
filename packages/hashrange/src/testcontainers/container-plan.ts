import { basename } from 'node:path'

export interface HashrangeContainerOptions {
  /** Further flags of `hashrange start`, such as `['--throttling', 'enforce']`. */
  readonly flags?: readonly string[]
  /** Files that declare the tables: they are copied into the container. */
  readonly apply?: readonly string[]
  /** Files of items that the tables begin with: they are copied into the container. */
  readonly seed?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Verifies signatures and enforces policies; this is the key of the administrator. Without it, any key will do. */
  readonly administrator?: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

/** What a container of hashrange is started with, in the words of Docker. */
export interface ContainerPlan {
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly files: readonly { readonly source: string; readonly target: string }[]
  readonly port: number
  /** Answers 200 as soon as requests are answered. */
  readonly readyPath: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

export function containerPlan(options: HashrangeContainerOptions = {}): ContainerPlan {
  const { administrator } = options
  const applied = placed('/apply', options.apply)
  const seeds = placed('/seed', options.seed)
  return {
    command: [
      'start',
      '--memory',
      ...applied.flatMap(({ target }) => ['--apply', target]),
      ...seeds.flatMap(({ target }) => ['--seed', target]),
      ...(options.flags ?? []),
    ],
    environment: {
      // Only this machine reaches the port of a container that Testcontainers has started.
      ...(administrator === undefined
        ? { HASHRANGE_INSECURE: '1' }
        : {
            HASHRANGE_AUTH: '1',
            HASHRANGE_ROOT_ACCESS_KEY_ID: administrator.accessKeyId,
            HASHRANGE_ROOT_SECRET_ACCESS_KEY: administrator.secretAccessKey,
          }),
      ...options.environment,
    },
    files: [...applied, ...seeds],
    port: 8000,
    readyPath: '/ready',
    credentials: administrator ?? { accessKeyId: 'local', secretAccessKey: 'local' },
  }
}

/** The name of a file says what is in it, so each keeps its own, in a folder of its own. */
function placed(folder: string, files: readonly string[] = []): ContainerPlan['files'] {
  return files.map((source, index) => ({ source, target: `${folder}/${index}/${basename(source)}` }))
}
