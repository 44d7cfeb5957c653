import type { ComponentProps } from 'react'

import type { LogStats } from '../engine/protocol.ts'
import { useReading } from '../reading/reading-store.ts'
import { firstShown, type Reading } from '../reading/reading.ts'
import { LogLines, type LogLinesProps } from './log-lines.tsx'
import { FileLinksContext } from '../file-links/file-link.tsx'
import { PlainLog } from './plain-log.tsx'
import { Ticks } from './ticks.tsx'

export interface ConsoleLinesProps extends Omit<LogLinesProps, 'announcedLines'> {
  /** The state rendered around the lines; during a burst the lines are newer. */
  stats: LogStats
  /** Shows plain text only. */
  plain: boolean
  /** The hundredths of the log with a search hit. */
  hits: readonly number[]
  /** The links for file locations in lines. */
  fileLinks: ComponentProps<typeof FileLinksContext>['value']
}

const isAll = ({ all }: Reading): boolean => all

/** The lines in the selected format, and marks next to the scroll bar. */
export function ConsoleLines({ stats, plain, hits, fileLinks, ...lines }: ConsoleLinesProps) {
  const { store, reading, only, causeLines, newLines } = lines
  const first = useReading(reading, (now) => firstShown({ ...now, lines: stats.lines }))
  const showsAll = useReading(reading, isAll)
  if (plain) return <PlainLog store={store} first={first} count={stats.lines} version={stats.version} only={only} />
  return (
    <>
      <FileLinksContext value={fileLinks}>
        <LogLines {...lines} announcedLines={stats.lines} />
      </FileLinksContext>
      {showsAll && <Ticks lines={stats.lines} only={only} hits={hits} causeLines={causeLines} newLines={newLines} />}
    </>
  )
}
