import { confirm } from '../../components/dialogs/confirm.tsx'
import type { StatementFacts } from './read-statement.ts'
import type { StatementText } from './split-statements.ts'

/** Shows the statements that write before they are run. */
export function confirmWrites(
  statements: readonly StatementText[],
  known: readonly StatementFacts[],
): Promise<boolean> {
  const writing = statements.filter((_, at) => known[at]?.isWrite === true)
  const hasDelete = known.some(({ kind }) => kind === 'delete')
  return confirm({
    title:
      writing.length === 1
        ? 'Run a statement that changes data?'
        : `Run ${String(writing.length)} statements that change data?`,
    action: writing.length === 1 ? 'Run it' : 'Run them',
    tone: hasDelete ? 'danger' : 'primary',
    body: (
      <div className="stack">
        <p>They are run one after the other; the first that is refused ends it. There is no undo.</p>
        {writing.slice(0, 5).map(({ text, start }) => (
          <pre key={start} className="code-block">
            {text.slice(0, 500)}
          </pre>
        ))}
      </div>
    ),
  })
}
