import { useMemo, useState } from 'react'

import { usePreference } from '../../../browser/preference.ts'
import { useKeys } from '../../../browser/use-keys.ts'
import { useNarrow } from '../../../browser/use-narrow.ts'
import { openAsText, saveAs } from '../source/download.ts'
import type { LogStore } from '../source/log-store.ts'
import { logFileName, type StepAddress } from '../step/step-address.ts'
import { clocks } from './line-times.ts'
import type { ReadingStore } from '../reading/reading-store.ts'
import { firstShown } from '../reading/reading.ts'
import type { ToolbarProps } from './toolbar.tsx'
import type { Folds } from './use-folds.ts'

export interface ToolOptions {
  address: StepAddress
  store: LogStore
  reading: ReadingStore
  folds: Folds
  goTo: (line: number) => void
  setSearchOpen: (open: boolean) => void
}

const wholeText = (store: LogStore): Promise<Blob> => store.text(0, store.getSnapshot().stats.lines, false)

/** The format of the lines, and the actions of the tools. Wrapping and times are remembered. */
export const useTools = ({ address, store, reading, folds, goTo, setSearchOpen }: ToolOptions) => {
  const narrow = useNarrow()
  const [wrap, setWrap] = usePreference('log.wrap', narrow ? ['on', 'off'] : ['off', 'on'])
  const [times, setTimes] = usePreference('log.times', ['on', 'off'])
  const [clock, setClock] = usePreference('log.clock', clocks)
  const [raw, setRaw] = useState(false)
  const [plain, setPlain] = useState(false)
  const [full, setFull] = useState(false)
  const { any, foldAll, unfoldAll } = folds
  const actions = useMemo(
    (): ToolbarProps['actions'] => ({
      onSearch: () => setSearchOpen(true),
      onWrap: () => setWrap(wrap === 'on' ? 'off' : 'on'),
      onTimes: () => setTimes(times === 'on' ? 'off' : 'on'),
      onClock: (next) => {
        setTimes('on')
        setClock(next)
      },
      onRaw: () => {
        setRaw(!raw)
        store.setRaw(!raw)
      },
      onPlain: () => setPlain(!plain),
      onFollow: () => reading.dispatch({ type: reading.get().follow ? 'let go' : 'followed' }),
      onTop: () => goTo(firstShown(reading.get())),
      onEnd: () => reading.dispatch({ type: 'followed' }),
      onFull: () => setFull(!full),
      onDownload: () => void wholeText(store).then((blob) => saveAs(blob, logFileName(address))),
      onFold: any ? unfoldAll : foldAll,
      onOpenText: () => void wholeText(store).then(openAsText),
    }),
    [
      address,
      store,
      reading,
      goTo,
      setSearchOpen,
      wrap,
      setWrap,
      times,
      setTimes,
      setClock,
      raw,
      plain,
      full,
      any,
      foldAll,
      unfoldAll,
    ],
  )
  useKeys((key) => {
    // The first key press shows the times, further ones switch the format.
    if (key === 't') actions.onClock(times === 'on' ? (clocks[clocks.indexOf(clock) + 1] ?? clocks[0]) : clock)
  })
  const shown = { wrap: wrap === 'on', times: times === 'on', clock, raw, plain, full }
  return { ...shown, leaveFull: () => setFull(false), actions }
}
