// The growth table: the cost of a call at each size, how it grows, and the largest size that is as
// good as the first.
const number = (value) =>
  value === undefined
    ? ''
    : value >= 100
      ? Math.round(value).toLocaleString('en-US')
      : String(Number(value.toPrecision(2)))

/** The slope of a line through the logarithms of sizes and costs. */
export function exponentOf(points) {
  const all = points.filter(([, value]) => value > 0).map(([size, value]) => [Math.log(size), Math.log(value)])
  if (all.length < 2) return 0
  const mean = (index) => all.reduce((sum, point) => sum + point[index], 0) / all.length
  const [x, y] = [mean(0), mean(1)]
  const top = all.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0)
  return top / all.reduce((sum, [a]) => sum + (a - x) ** 2, 0)
}

/**
 * The factor by which the cost of a call can grow, after accounting for the size of its response.
 */
const tolerance = 2

/**
 * The largest size that was not worse; `undefined`: the last one. A single worse size in between is
 * treated as noise.
 */
export function maxGoodSize(points) {
  const [first] = points
  const isGood = ({ ms, bytes }) =>
    ms <= tolerance * first.ms * (bytes && first.bytes ? Math.max(1, bytes / first.bytes) : 1)
  const last = points.findLast(isGood)
  return last === points.at(-1) ? undefined : last.size
}

const two = (value) => value.toFixed(2).replace('-0.00', '0.00')

const row = (cells) => `| ${cells.join(' | ')} |`

/** `points`: [{ size, calls }]. */
export function growthTable(what, points) {
  const sizes = points.map(({ size }) => size)
  const names = [...new Set(points.flatMap(({ calls }) => Object.keys(calls)))]
  const lines = names.map((name) => {
    const found = points.filter(({ calls }) => calls[name]).map(({ size, calls }) => ({ size, ...calls[name] }))
    const cost = exponentOf(found.map(({ size, ms }) => [size, ms]))
    const answer = exponentOf(found.map(({ size, bytes }) => [size, bytes]))
    const limit = maxGoodSize(found)
    const costs = sizes.map((size) => number(found.find((point) => point.size === size)?.ms))
    return row([name, ...costs, two(cost), two(answer), limit ? limit.toLocaleString('en-US') : 'all'])
  })
  return [
    row([what, ...sizes.map((size) => size.toLocaleString('en-US')), 'exponent', 'of the answer', 'as good up to']),
    row(['---', ...sizes.map(() => '---:'), '---:', '---:', '---:']),
    ...lines,
  ].join('\n')
}
