import { expect, it } from 'vitest'
import { createFigures } from './figures.ts'
import { createHistogram } from './histogram.ts'

it('counts values below each bound, and in total, in the format of Prometheus', () => {
  const histogram = createHistogram('a_seconds', 'Times.', [0.1, 1])
  for (const value of [0.05, 0.1, 0.5, 7]) histogram.observe(value)
  histogram.observe(1, 'method="GET"')
  expect(histogram.text()).toBe(
    [
      '# HELP a_seconds Times.',
      '# TYPE a_seconds histogram',
      'a_seconds_bucket{le="0.1"} 2',
      'a_seconds_bucket{le="1"} 3',
      'a_seconds_bucket{le="+Inf"} 4',
      'a_seconds_sum 7.65',
      'a_seconds_count 4',
      'a_seconds_bucket{method="GET",le="0.1"} 0',
      'a_seconds_bucket{method="GET",le="1"} 1',
      'a_seconds_bucket{method="GET",le="+Inf"} 1',
      'a_seconds_sum{method="GET"} 1',
      'a_seconds_count{method="GET"} 1',
      '',
    ].join('\n'),
  )
})

it('limits the number of series', () => {
  const histogram = createHistogram('a', 'b', [1])
  for (let index = 0; index < 2_000; index += 1) histogram.observe(1, `route="${index}"`)
  const lines = histogram.text().split('\n')
  expect(lines.filter((line) => line.startsWith('a_count'))).toHaveLength(501)
  expect(lines).toContain('a_count{other="true"} 1500')
})

it('escapes labels, and reports the other metrics if the folder is missing', async () => {
  const figures = createFigures('/nowhere/at/all')
  figures.observe({ method: 'GET', route: '/a"b\\c\nd', status: 200, seconds: 0.2 })
  const text = await figures.text()
  expect(text).toContain('_count{method="GET",route="/a\\"b\\\\c\\nd",status="200"} 1\n')
  expect(text).toContain('flightdeck_database_bytes 0\n')
  expect(text).not.toContain('flightdeck_disk')
})
