import { useQuery } from '@tanstack/react-query'
import type { AskedOperation } from '../../api/api.ts'
import { explainAccess } from '../../api/decisions.ts'
import { scopeKey, useInfo } from '../../api/queries.ts'
import { useScope } from '../../state/scope.tsx'
import { Notice, Waiting } from '../messages/notices.tsx'
import { DecisionList } from './decision-list.tsx'

/** Which statements of which policies decide about a request, if whoever has signed in makes it. */
export function OwnDecisions({ asked }: { readonly asked: AskedOperation }) {
  const scope = useScope()
  const signedIn = useInfo()?.signedIn
  const { data, error, refetch } = useQuery({
    queryKey: [scopeKey(scope), 'decisions', JSON.stringify(asked)],
    queryFn: ({ signal }) => explainAccess(scope, asked, signal),
  })
  if (data === undefined) return <Waiting error={error} onRetry={refetch} lines={4} />
  if (signedIn?.kind === 'operator') {
    return <Notice>You are signed in as the operator of this server. No policy applies to you.</Notice>
  }
  return (
    <>
      <DecisionList
        decisions={data.decisions}
        who={signedIn?.name === '' ? 'the root user' : (signedIn?.name ?? 'you')}
      />
      {!data.maySeeStatements && (
        <Notice>
          To see the statements of your policies here, you need <code>iam:SimulatePrincipalPolicy</code> on{' '}
          <code className="decision-key">{signedIn?.policySourceArn}</code>
        </Notice>
      )}
    </>
  )
}
