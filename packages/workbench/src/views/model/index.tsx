import {
  Boxes,
  FileCode2,
  FileDown,
  FilePlus2,
  ImageDown,
  TableProperties,
  X,
} from '../../icons/icons.generated.ts'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { ModelFile } from '../../answers/models.ts'
import { ApiError } from '../../api/api.ts'
import { closeModel, modelId, modelsOf, useModelFiles, type LoadedModel } from '../../api/models.ts'
import { useCall, useInfo, useRefresh, useTableNames } from '../../api/queries.ts'
import { useCommands } from '../../commands/commands.ts'
import { Badge } from '../../components/values/badge.tsx'
import { Button } from '../../components/controls/button.tsx'
import { EmptyState, ErrorBox, Notice, Skeleton } from '../../components/messages/notices.tsx'
import { Page } from '../../components/page/page.tsx'
import { Picker } from '../../components/controls/picker.tsx'
import { Tabs } from '../../components/controls/tabs.tsx'
import { tell, tellError } from '../../components/messages/toast.tsx'
import { oneOf, text, useUrlState } from '../../state/url-state.ts'
import { formatAgo, plural } from '../../values/format.ts'
import { ModelErrors } from '../query/pattern/load-model.tsx'
// Before its parts, whose styles refine these.
import './model.css'
import { CostTab } from './cost-tab.tsx'
import { createTables } from './create-tables.ts'
import { DiagramTab } from './diagram-tab.tsx'
import { EntitiesTab } from './entities-tab.tsx'
import { ExportTab } from './export-tab.tsx'
import { FindingsTab } from './findings-tab.tsx'
import { LoadDialog } from './load-dialog.tsx'
import { useCheck, useCost } from './model-queries.ts'
import { PatternsTab } from './patterns-tab.tsx'

const StartDialog = lazy(async () => ({ default: (await import('./start-dialog.tsx')).StartDialog }))

const PictureDialog = lazy(() => import('./picture/picture-dialog.tsx'))

const FileTab = lazy(() => import('./file/file-tab.tsx'))

const schema = {
  /** `<file>|<model>`. */
  model: text(),
  tab: oneOf(['patterns', 'entities', 'collections', 'findings', 'cost', 'file', 'export'], 'patterns'),
  pattern: text(),
  format: text('cloudformation'),
}

/** The loaded models, as they are while they are edited. */
export default function ModelView() {
  const { data, error: failure, refetch } = useModelFiles()
  const [{ model: chosen }, setState] = useUrlState(schema)
  const [dialog, setDialog] = useState<'load' | 'start' | 'picture'>()
  const info = useInfo()
  const error =
    info?.modelsDenied === undefined ? failure : new ApiError('AccessDeniedException', info.modelsDenied, 400)
  const isReadOnly = info?.readOnly === true
  const mayLoad = info?.mayLoadModels === true
  const files = data?.files ?? []
  const models = modelsOf(files)
  const model = models.find((each) => modelId(each) === chosen) ?? models[0]
  useCommands(
    useMemo(
      () => [
        ...(mayLoad
          ? [{ id: 'load-model', title: 'Load a model file', group: 'Model', run: () => setDialog('load') }]
          : []),
        {
          id: 'new-model',
          title: 'New model',
          group: 'Model',
          run: () => setDialog('start'),
        },
      ],
      [mayLoad],
    ),
  )
  const actions = (
    <>
      {mayLoad && (
        <Button icon={<FileCode2 />} onClick={() => setDialog('load')}>
          Load
        </Button>
      )}
      <Button icon={<FilePlus2 />} onClick={() => setDialog('start')}>
        New model
      </Button>
    </>
  )
  return (
    <Page
      title="Model"
      layout="fill"
      aside={
        model !== undefined && (
          <ModelPicker
            models={models}
            model={model}
            files={files}
            mayClose={mayLoad}
            onPick={(next) => setState({ model: modelId(next), pattern: '' }, { push: true })}
          />
        )
      }
      actions={
        <>
          {model !== undefined && !isReadOnly && <CreateTables model={model} />}
          {model !== undefined && (
            <Button icon={<ImageDown />} onClick={() => setDialog('picture')}>
              Picture
            </Button>
          )}
          {actions}
        </>
      }
    >
      <div className="model-errors">
        <ModelErrors files={files} />
      </div>
      {error !== null && (
        <div className="model-pad">
          <ErrorBox error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {info?.modelsDenied !== undefined || (error !== null && data === undefined) ? null : data === undefined ? (
        <div className="model-pad">
          <Skeleton lines={6} />
        </div>
      ) : model === undefined ? (
        <NoModel actions={actions} loading={files.filter(({ isLoading }) => isLoading)} />
      ) : (
        <ModelTabs
          key={modelId(model)}
          model={model}
          mayLoad={mayLoad || info?.mayEditModels === true}
          mayEdit={info?.mayEditModels === true}
        />
      )}
      {dialog === 'load' && <LoadDialog files={files} onClose={() => setDialog(undefined)} />}
      {dialog === 'picture' && model !== undefined && (
        <Suspense>
          <PictureDialog model={model.description} onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
      {dialog === 'start' && (
        <Suspense>
          <StartDialog onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
    </Page>
  )
}

function ModelTabs({
  model,
  mayLoad,
  mayEdit,
}: {
  readonly model: LoadedModel
  readonly mayLoad: boolean
  readonly mayEdit: boolean
}) {
  const [{ tab, pattern, format }, setState] = useUrlState(schema)
  const { data: check, error: checkError } = useCheck(model)
  const { data: cost, error: costError } = useCost(model)
  const shown = { model, check, cost }
  const findings = check?.findings.length ?? 0
  const { patterns, entities } = model.description
  return (
    <>
      {checkError !== null && (
        <div className="model-errors">
          <ErrorBox error={checkError} />
        </div>
      )}
      <Tabs
        label="Parts of the model"
        value={tab}
        onChange={(next) => setState({ tab: next }, { push: true })}
        tabs={[
          {
            value: 'patterns',
            label: <Counted title="Access patterns" count={patterns.length} />,
            content: (
              <PatternsTab
                {...shown}
                open={pattern}
                onOpen={(name) => setState({ pattern: name }, { push: true })}
              />
            ),
          },
          {
            value: 'entities',
            label: <Counted title="Entities" count={entities.length} />,
            content: <EntitiesTab {...shown} />,
          },
          { value: 'collections', label: 'Item collections', content: <DiagramTab {...shown} /> },
          {
            value: 'findings',
            label: check === undefined ? 'Findings' : <Counted title="Findings" count={findings} />,
            content: <FindingsTab {...shown} />,
          },
          {
            value: 'cost',
            label: 'Cost',
            content: costError === null ? <CostTab {...shown} /> : <ErrorBox error={costError} />,
          },
          ...(mayLoad
            ? [
                {
                  value: 'file' as const,
                  label: mayEdit ? 'Edit' : 'File',
                  content: (
                    <Suspense
                      fallback={
                        <div className="model-pad">
                          <Skeleton lines={8} />
                        </div>
                      }
                    >
                      <FileTab {...shown} />
                    </Suspense>
                  ),
                },
              ]
            : []),
          {
            value: 'export',
            label: 'Export',
            content: <ExportTab model={model} format={format} onFormat={(next) => setState({ format: next })} />,
          },
        ]}
      />
    </>
  )
}

function Counted({ title, count }: { readonly title: string; readonly count: number }) {
  return (
    <>
      {title} <span className="model-count number">{count}</span>
    </>
  )
}

function ModelPicker({
  models,
  model,
  files,
  mayClose,
  onPick,
}: {
  readonly models: readonly LoadedModel[]
  readonly model: LoadedModel
  readonly files: readonly ModelFile[]
  readonly mayClose: boolean
  readonly onPick: (model: LoadedModel) => void
}) {
  const file = files.find((each) => each.file === model.file)
  return (
    <span className="row">
      <Picker
        label="Model"
        placeholder="Find a model"
        icon={<Boxes aria-hidden />}
        empty="No loaded model has that name."
        entries={models.map((each) => ({
          id: modelId(each),
          label: each.description.name,
          detail: each.file,
          isChosen: each === model,
          onSelect: () => onPick(each),
        }))}
        value={model.description.name}
      />
      <span className="mono truncate model-path" title={file?.path}>
        {model.file}
      </span>
      {file !== undefined && (
        <Badge tone={file.error === null ? 'success' : 'warning'} title="Reloads when you save the file">
          {file.error === null ? `live · ${formatAgo(file.loadedAt)}` : 'has an error'}
        </Badge>
      )}
      {file?.origin === 'page' && mayClose && (
        <Button
          tone="quiet"
          className="icon-button"
          aria-label={`Close ${model.file}`}
          icon={<X />}
          onClick={() => void closeModel(model.file).catch(tellError)}
        />
      )}
    </span>
  )
}

/** Offered while a table of the model is missing here. */
function CreateTables({ model }: { readonly model: LoadedModel }) {
  const { data: names } = useTableNames()
  const call = useCall()
  const refresh = useRefresh()
  const [isBusy, setBusy] = useState(false)
  const existing = new Set(names ?? [])
  const missing = model.description.tables.filter(({ name }) => !existing.has(name))
  if (names === undefined || missing.length === 0) return null
  const create = async (): Promise<void> => {
    setBusy(true)
    try {
      const made = await createTables(call, existing, model)
      await refresh()
      tell(`Created ${made.join(', ')} with sample items`)
    } catch (error) {
      tellError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button tone="primary" icon={<TableProperties />} isBusy={isBusy} onClick={() => void create()}>
      Create {plural(missing.length, 'table')} with samples
    </Button>
  )
}

function NoModel({
  actions,
  loading,
}: {
  readonly actions: React.ReactNode
  readonly loading: readonly ModelFile[]
}) {
  if (loading.length > 0) {
    return (
      <EmptyState icon={<FileDown />} title={`Loading ${loading.map(({ file }) => file).join(', ')}`}>
        The file runs in a separate process, which is stopped if it takes too long.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={<FileDown />} title="No model is loaded" actions={actions}>
      A model starts from your access patterns. Each pattern names its key, and the checker runs it on a real
      database to show how many requests it takes, what it costs per month and where it will run hot. Create a model
      with <code>hashrange init</code> and show it with <code>hashrange start --model shop.model.ts</code>. With{' '}
      <code>--model FOLDER</code>, you can load models here, and save new ones that start from a template, from a
      table or from NoSQL Workbench.
      <Notice>When you save the model file in your editor, this page updates.</Notice>
    </EmptyState>
  )
}
