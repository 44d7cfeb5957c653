/** For tests: counts database queries, since durations are unreliable on a busy machine. */
import type { KyselyPlugin, QueryId, RootOperationNode } from 'kysely'

export interface QueryCount extends KyselyPlugin {
  /**
   * For example `select stages`: the number of queries, and the total and maximum number of rows.
   */
  readonly of: (what: string) => { queries: number; rows: number; maxRows: number }
  clear(): void
}

/** The first table that a node names, which is the subject of the query. */
const tableOf = (node: unknown): string =>
  /"identifier":\{"kind":"IdentifierNode","name":"(\w+)"/.exec(JSON.stringify(node))?.[1] ?? ''

const nameOf = (node: RootOperationNode): string => {
  if (node.kind === 'SelectQueryNode') return `select ${tableOf(node.from)}`
  if (node.kind === 'InsertQueryNode') return `insert ${tableOf(node.into)}`
  // `sql`: the verb, and the table from the text or from the first parameter.
  if (node.kind === 'RawNode') {
    const text = node.sqlFragments.join(' ')
    const [verb = ''] = text.trim().split(/\s/)
    return `${verb} ${/\b(?:into|update|from) ([a-z]+)/.exec(text)?.[1] ?? tableOf(node.parameters[0])}`
  }
  return node.kind
}

export const countQueries = (): QueryCount => {
  const counts = new Map<string, { queries: number; rows: number; maxRows: number }>()
  const names = new WeakMap<QueryId, string>()
  const of = (what: string) => counts.get(what) ?? { queries: 0, rows: 0, maxRows: 0 }
  return {
    of,
    clear: () => counts.clear(),
    transformQuery({ node, queryId }) {
      names.set(queryId, nameOf(node))
      return node
    },
    async transformResult({ result, queryId }) {
      const name = names.get(queryId) ?? ''
      const { queries, rows, maxRows } = of(name)
      const count = result.rows.length
      counts.set(name, { queries: queries + 1, rows: rows + count, maxRows: Math.max(maxRows, count) })
      return result
    },
  }
}
