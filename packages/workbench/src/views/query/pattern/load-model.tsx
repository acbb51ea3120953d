import { FileCode2 } from '../../../icons/icons.generated.ts'
import type { ModelFile } from '../../../answers/models.ts'
import { useInfo } from '../../../api/queries.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Notice } from '../../../components/messages/notices.tsx'
import { useLoadModel } from './use-load-model.ts'

/** Where no model describes the table: what one would give, and those that could be loaded. */
export function LoadModel({ table, files }: { readonly table: string; readonly files: readonly ModelFile[] }) {
  const info = useInfo()
  const { candidates, load, loading } = useLoadModel(files)
  // One that is called like the table is most likely the one.
  const isNamesake = (file: string): number => (fileName(file).startsWith(`${table}.`) ? 0 : 1)
  const offered = candidates.toSorted((a, b) => isNamesake(a) - isNamesake(b)).slice(0, 8)
  return (
    <div className="stack">
      <ModelErrors files={files} />
      <p className="query-hint">
        No loaded model describes the table <strong>{table}</strong>. With a model, you can pick an access pattern
        here and fill in its parameters. Its keys are built for you.
      </p>
      {info?.mayLoadModels !== true || offered.length === 0 ? (
        <p className="query-hint">
          Start hashrange with one:
          <code className="query-command">hashrange start --model {table}.model.ts</code>
        </p>
      ) : (
        <ul className="query-models" aria-label="Model files">
          {offered.map((file) => (
            <li key={file}>
              <Button icon={<FileCode2 />} isBusy={loading === file} title={file} onClick={() => load(file)}>
                <span className="truncate">{file}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function fileName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}

/** What is wrong with a model file that is being edited. */
export function ModelErrors({ files }: { readonly files: readonly ModelFile[] }) {
  return files
    .filter(({ error }) => error !== null)
    .map(({ file, error, models }) => (
      <Notice
        key={file}
        tone="warning"
        title={
          models.length > 0
            ? 'The model has an error; this is the last version that loaded'
            : 'The model has an error'
        }
      >
        {error?.message}
      </Notice>
    ))
}
