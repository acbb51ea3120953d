import { Code } from '../../../icons/icons.generated.ts'
import { useMemo, type ReactNode } from 'react'
import { useConnection, useInfo } from '../../../api/queries.ts'
import { CopyButton } from '../../../components/messages/copy-button.tsx'
import { Choice, Select } from '../../../components/controls/field.tsx'
import { EmptyState } from '../../../components/messages/notices.tsx'
import { codeLanguages, generateCode, type CodeLanguage } from '../../../codegen/generate-code.ts'
import { highlight } from '../../../codegen/highlight.ts'
import { modelClient, type PatternCall, type WriteCall } from '../../../codegen/model-client.ts'
import type { CodeRequest } from '../../../codegen/service-request.ts'
import { isSameScope, useScope } from '../../../state/scope.tsx'
import { oneOf, type UrlValues } from '../../../state/url-state.ts'
import './code-pane.css'

/** How the code is chosen in the address. */
export const codeSchema = {
  lang: oneOf([...codeLanguages.map(({ id }) => id), 'model'] as const, 'javascript'),
  target: oneOf(['here', 'aws'], 'here'),
}

type CodeChoice = UrlValues<typeof codeSchema>

export interface CodePaneProps {
  readonly requests: readonly CodeRequest[]
  /** The same by the model's own client. */
  readonly call?: PatternCall | WriteCall | undefined
  /** Said where there is no such call. */
  readonly noCall: ReactNode
  readonly choice: CodeChoice
  readonly onChoice: (changes: Partial<CodeChoice>) => void
}

/** The request as code to paste. */
export function CodePane({ requests, call, noCall, choice, onChoice }: CodePaneProps) {
  const { lang: language } = choice
  const connection = useConnection()
  const target = connection?.kind === 'aws' ? 'aws' : choice.target
  const place = useTarget(target)
  const code = useMemo(() => {
    if (language !== 'model') return generateCode(language satisfies CodeLanguage, requests, place)
    return call === undefined ? '' : modelClient(call, place)
  }, [language, requests, place, call])
  return (
    <div className="code-pane">
      <div className="code-bar">
        <Select
          aria-label="Language"
          className="code-language"
          value={language}
          options={[
            ...codeLanguages.map(({ id, title, detail }) => ({ value: id, label: `${title} · ${detail}` })),
            { value: 'model', label: 'Model client' },
          ]}
          onChange={(lang) => onChoice({ lang: codeSchema.lang.read(lang) })}
        />
        <span className="grow" />
        <Choice
          label="Where the code connects"
          shape="segments"
          value={target}
          options={[
            ...(connection?.kind === 'aws'
              ? []
              : [{ value: 'here' as const, label: connection?.name ?? 'This server' }]),
            { value: 'aws' as const, label: 'AWS' },
          ]}
          onChange={(next) => onChoice({ target: next })}
        />
        <CopyButton label="Copy code" text={code} />
      </div>
      {code === '' ? (
        <EmptyState icon={<Code />} title="No code yet">
          {noCall}
        </EmptyState>
      ) : (
        <pre className="code-block" aria-label="Code" tabIndex={0}>
          {highlight(code, language === 'model' ? 'javascript' : language).map(({ kind, text }, position) => (
            <span key={position} className={`code-${kind}`}>
              {text}
            </span>
          ))}
        </pre>
      )}
    </div>
  )
}

/** This server as clients outside of the browser reach it, and the key that has the tables which are shown. */
function useTarget(target: CodeChoice['target']) {
  const scope = useScope()
  const info = useInfo()
  const connection = useConnection()
  return useMemo(() => {
    if (target === 'aws') return { region: scope.region }
    if (connection?.endpoint !== undefined) {
      const { endpoint, accessKeyId } = connection
      return {
        region: scope.region,
        endpoint,
        credentials: accessKeyId === undefined ? ('environment' as const) : ('local' as const),
        accessKeyId: accessKeyId ?? '',
      }
    }
    const known = info?.scopes.find((entry) => isSameScope(entry, scope))
    return {
      region: scope.region,
      endpoint: window.location.origin,
      // A closed server takes real credentials alone, and nobody pastes those into code.
      credentials: info?.signedIn === undefined ? ('local' as const) : ('environment' as const),
      accessKeyId: known?.accessKeyId ?? (info?.shared === true ? 'local' : scope.accountId),
    }
  }, [target, scope, info, connection])
}
