/** Metrics in the text format of Prometheus (version 0.0.4). */

/**
 * Further series are counted under the label `other`, so that external names cannot fill the
 * memory.
 */
const maxSeries = 500

export interface Histogram {
  /** `labels` as written between the braces: `method="GET"`. */
  observe(value: number, labels?: string): void
  text(): string
}

interface Series {
  /** Counts per bucket, not cumulative; the last one counts values beyond all bounds. */
  counts: number[]
  sum: number
}

export function createHistogram(name: string, help: string, bounds: readonly number[]): Histogram {
  const all = new Map<string, Series>()

  function seriesOf(labels: string): Series {
    const key = all.has(labels) || all.size < maxSeries ? labels : 'other="true"'
    const cached = all.get(key)
    if (cached) return cached
    const series: Series = { counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 }
    all.set(key, series)
    return series
  }

  return {
    observe(value, labels = '') {
      const series = seriesOf(labels)
      const at = bounds.findIndex((bound) => value <= bound)
      const index = at < 0 ? bounds.length : at
      series.counts[index] = (series.counts[index] ?? 0) + 1
      series.sum += value
    },
    text() {
      const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`]
      for (const [labels, { counts, sum }] of all) {
        const prefix = labels === '' ? '' : `${labels},`
        let total = 0
        for (const [index, count] of counts.entries()) {
          total += count
          lines.push(`${name}_bucket{${prefix}le="${bounds[index] ?? '+Inf'}"} ${total}`)
        }
        const braces = labels === '' ? '' : `{${labels}}`
        lines.push(`${name}_sum${braces} ${sum}`, `${name}_count${braces} ${total}`)
      }
      return `${lines.join('\n')}\n`
    },
  }
}

/** Without a value, writes only the header, for rows with labels. */
export const gauge = (name: string, help: string, value?: number): string => family('gauge', name, help, value)

export const counter = (name: string, help: string, value?: number): string => family('counter', name, help, value)

const family = (type: string, name: string, help: string, value: number | undefined): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${value === undefined ? '' : `${name} ${value}\n`}`
