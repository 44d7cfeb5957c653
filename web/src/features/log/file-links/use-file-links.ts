import { type Build } from '@flightdeck/api'
import { pathInCommit } from '@flightdeck/api/log-paths'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { useCapability } from '../../../api/capabilities.ts'
import { queryOf } from '../../../api/queries.ts'
import { useAddress, useNavigation } from '../../../browser/navigation.tsx'
import { useKeys } from '../../../browser/use-keys.ts'
import { withParams } from '../../../lib/search-params.ts'
import { toast } from '../../../ui/toast.ts'
import { sourceLink } from '../../events/index.ts'
import type { LineRange } from '../step/anchor.ts'
import type { Causes } from '../causes/use-causes.ts'
import type { FileLocation } from '../engine/file-locations.ts'
import type { LogStore } from '../source/log-store.ts'
import type { StepAddress } from '../step/step-address.ts'
import { linesBefore, linesAfter, nearestFileLocation } from './nearest-location.ts'
import type { FileLinks } from './file-link.tsx'

export interface FileLinksOptions {
  address: StepAddress
  build: Build | undefined
  store: LogStore
  causes: Causes
  marked: LineRange | undefined
}

/** The index of the current line: an error line, else the marked or linked line. */
const lineOf = async ({ store, causes, marked }: FileLinksOptions): Promise<number | undefined> => {
  const { list, at } = causes
  if (list.some(({ index }) => index === at)) return at
  return marked ? store.locate(marked.from) : (at ?? list[0]?.index)
}

/**
 * Links for file positions in a log. On Flightdeck's own server they open a drawer, recorded in the
 * URL; on other servers they open the forge. Also handles the key that opens the position at the
 * current line.
 */
export const useFileLinks = (options: FileLinksOptions): FileLinks => {
  const { build, store } = options
  const { namespace, name } = options.address
  const own = useCapability('source')
  const { data: repo } = useQuery(queryOf('getRepo', namespace, name))
  const { navigate } = useNavigation()
  const { pathname, search, hash, via } = useAddress()
  const links = useMemo((): FileLinks => {
    if (!own) return { hrefOf: (location) => build && repo && sourceLink(repo, build, location) }
    const toDrawer = ({ path, line }: FileLocation): string =>
      `${pathname}${withParams(search, { source: `${path}:${line}` })}${hash}`
    return {
      hrefOf: (location) =>
        pathInCommit(location.path, `${namespace}/${name}`) === undefined ? undefined : toDrawer(location),
      open: (location) => navigate(toDrawer(location), { from: pathname, ...(via && { via }) }),
    }
  }, [own, build, repo, namespace, name, pathname, search, hash, via, navigate])
  const openNearest = async (): Promise<void> => {
    const line = await lineOf(options)
    const first = Math.max(0, (line ?? 0) - linesBefore)
    const text = line === undefined ? '' : await (await store.text(first, line + linesAfter + 1, true)).text()
    const location = line === undefined ? undefined : nearestFileLocation(text.split('\n'), line - first)
    const href = location && links.hrefOf(location)
    if (!location || !href) toast.warning('No source file is mentioned near this line')
    else if (links.open) links.open(location)
    else window.open(href, '_blank', 'noopener')
  }
  useKeys((key, { repeat }) => {
    if (key === 's' && !repeat) void openNearest()
  })
  return links
}
