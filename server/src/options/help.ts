/** Describes the settings for `--help` and the README's table (tools/readme.mjs). */
import { hasFlag, rows, type OptionFacts } from './table.ts'

const spelling = (option: OptionFacts) =>
  hasFlag(option) ? `${option.flag} ${option.value}`.trimEnd() : `(${option.environment})`

export function helpText(): string {
  const left = (option: OptionFacts) => `  ${spelling(option)}`
  const width = Math.max(...rows.map((option) => left(option).length)) + 2
  const pad = ' '.repeat(width)
  const lines = rows.map((option) =>
    `${left(option).padEnd(width)}${option.about}\n${pad}${option.environment}, default: ${option.shownDefault}`.replaceAll(
      '`',
      '',
    ),
  )
  return [
    'Usage: npm start -- [options]',
    '       npm start -- backup FILE [--data DIR]    writes a verified copy of a data folder, even while a server uses it',
    '       npm start -- restore FILE [--data DIR]   restores that copy into an empty data folder',
    '       npm start -- compact [--data DIR]        rewrites the database to free disk space; stop the server first',
    '',
    ...lines,
    `${'  --help'.padEnd(width)}shows this text`,
    `${'  --version'.padEnd(width)}shows the version`,
    '',
  ].join('\n')
}

/** The table of the README, between its two markers. */
export function optionTable(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|')
  const lines = rows.map(
    (option) =>
      `| ${hasFlag(option) ? `\`${cell(spelling(option))}\`` : '–'} | \`${option.environment}\` | ${cell(option.shownDefault)} | ${cell(option.about)} |`,
  )
  return ['| option | environment | default | meaning |', '| --- | --- | --- | --- |', ...lines, ''].join('\n')
}
