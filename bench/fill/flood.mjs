// The step of the live measure: from START (milliseconds) on, prints RATE lines a second for
// SECONDS, each with its time.
const start = Number(process.env.START)
const rate = Number(process.env.RATE ?? 10_000)
const seconds = Number(process.env.SECONDS ?? 10)
const everyMs = 10
const text = 'compiling module worker with request and response, linking target release'
let sent = 0

const tick = () => {
  const now = Date.now()
  const due = Math.min(rate * seconds, Math.floor(((now - start) / 1000) * rate))
  let lines = ''
  for (; sent < due; sent++) lines += `t=${now} ${sent} ${text}\n`
  if (lines) process.stdout.write(lines)
  if (sent < rate * seconds) setTimeout(tick, everyMs)
  else console.log(`done ${sent}`)
}
console.log('ready')
setTimeout(tick, Math.max(0, start - Date.now()))
