import type { Build, BuildDetails, StageCommands, StepCommands } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'

import { ownQueryOf } from '../../api/own-client.ts'
import { failedRead } from '../../api/query-client.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Scroller } from '../../ui/scroller.tsx'
import { LoadingText } from '../../ui/skeleton.tsx'
import { VisibleText } from '../common/visible-text.tsx'
import { lineDiff } from './line-diff.ts'

/**
 * Untrusted: anyone with push access can write these texts, so hidden characters are shown.
 * Newlines and tabs are kept.
 */
const Visible = ({ children }: { children: string }) => <VisibleText text={children} keep={'\n'} />

const Text = ({ children }: { children: string }) => (
  <pre dir="ltr" className="mt-1 rounded-md border border-line bg-canvas p-2 font-mono break-all whitespace-pre-wrap">
    <Visible>{children}</Visible>
  </pre>
)

function Step({ step }: { step: StepCommands }) {
  const variables = Object.entries(step.environment ?? {})
  return (
    <li>
      <p className="break-words">
        <span className="font-medium">
          <VisibleText text={step.name} />
        </span>
        {step.image && (
          <>
            {' in '}
            <code className="font-mono">
              <VisibleText text={step.image} />
            </code>
          </>
        )}
        {step.commands.length === 0 && (
          <span className="text-muted"> – no commands: runs the image’s default command</span>
        )}
      </p>
      {(step.commands.length > 0 || variables.length > 0) && (
        <Text>
          {[
            ...variables.map(([name, value]) =>
              typeof value === 'string' ? `${name}=${value}` : `${name}=(secret ${value.from_secret})`,
            ),
            ...step.commands.map((command) => `$ ${command.replace(/\n$/, '')}`),
          ].join('\n')}
        </Text>
      )}
      {step.settings && <Text>{step.settings}</Text>}
    </li>
  )
}

const Steps = ({ steps }: { steps: readonly StepCommands[] }) => (
  <ol className="flex flex-col gap-2">
    {steps.map((step, index) => (
      // The order of a stage's steps is fixed, and two can have the same name.
      // oxlint-disable-next-line react/no-array-index-key
      <Step key={index} step={step} />
    ))}
  </ol>
)

function StageText({ of: { stage, settings, steps, services = [], cut } }: { of: StageCommands }) {
  return (
    <section aria-label={`Commands of ${stage}`} className="flex flex-col gap-2">
      <h2 className="text-base font-semibold break-words">
        <VisibleText text={stage} />
      </h2>
      <Steps steps={steps} />
      {services.length > 0 && (
        <>
          <h3 className="font-semibold">Services</h3>
          <Steps steps={services} />
        </>
      )}
      {settings && (
        <div>
          <h3 className="font-semibold">Pipeline settings</h3>
          <Text>{settings}</Text>
        </div>
      )}
      {cut && <p className="text-danger">Only part of this stage is shown. See the file for the rest.</p>}
    </section>
  )
}

const looks = { '+': 'bg-success-soft', '-': 'bg-danger-soft', ' ': '', gap: 'text-muted' }
const names = { '+': 'added: ', '-': 'removed: ', ' ': '', gap: '' }

/** The differences between the pipeline file and the one that was approved last. */
function SinceApproved({ file, approved }: Required<Pick<BuildDetails, 'file' | 'approved'>>) {
  const lines = lineDiff(approved.text, file.text)
  return (
    <section aria-label="Changes since the last approval">
      <h2 className="text-base font-semibold">
        {lines.length === 0
          ? `The pipeline file is unchanged since #${approved.build}, the last approved build.`
          : `Changes since #${approved.build}, the last approved build`}
      </h2>
      {lines.length > 0 && (
        <pre dir="ltr" className="mt-1 overflow-x-auto rounded-md border border-line bg-canvas py-2 font-mono">
          <div className="w-max min-w-full">
            {lines.map(({ mark, text }, index) => (
              // The lines of a comparison never move.
              // oxlint-disable-next-line react/no-array-index-key
              <div key={index} className={`px-2 ${looks[mark]}`}>
                <span className="sr-only">{names[mark]}</span>
                <span aria-hidden="true">{mark === 'gap' ? '⋯' : `${mark} `}</span>
                <Visible>{text}</Visible>
              </div>
            ))}
          </div>
        </pre>
      )}
    </section>
  )
}

interface WaitingCommandsProps {
  namespace: string
  name: string
  build: Build
  /** The selected stage, listed first. */
  current: string
}

/** The commands of all stages that wait for approval, as the pipeline file has them. */
export function WaitingCommands({ namespace, name, build, current }: WaitingCommandsProps) {
  const query = useQuery(ownQueryOf('getBuildDetails', namespace, name, build.number))
  const { data, error, refetch, isFetching } = query
  if (!data && error) return <ErrorState {...failedRead('The commands', { error, isFetching, refetch })} />
  if (!data) return <LoadingText text="Loading commands" />
  const blocked = new Set((build.stages ?? []).filter(({ status }) => status === 'blocked').map(({ name }) => name))
  const all = (data.waiting_stages ?? []).filter(({ stage }) => blocked.has(stage))
  if (all.length === 0) return <p className="py-1 text-sm">The commands can’t be shown here. See the file.</p>
  const first = all.filter(({ stage }) => stage === current)
  const others = all.filter(({ stage }) => stage !== current)
  return (
    <Scroller role="region" aria-label="Commands to approve" className="w-full text-sm text-ink">
      <div className="flex flex-col gap-4">
        {data.file && data.approved && <SinceApproved file={data.file} approved={data.approved} />}
        {[...first, ...others].map((stage) => (
          <StageText key={stage.stage} of={stage} />
        ))}
      </div>
    </Scroller>
  )
}
