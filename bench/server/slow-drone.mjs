// Imitates Drone 2.25 with 10,000 repositories and the duration of its responses: two at a time,
// each as long as measured there. It waits instead of computing, so that it takes no processor time
// from what is measured.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [file] = process.argv.slice(2)
const list = readFileSync(file)
const atOnce = 2
const costs = { '/api/user/repos': 223, '/api/user/builds/recent': 76 }

let working = 0
const waiting = []
const take = () => {
  if (working === atOnce) return
  const next = waiting.shift()
  if (!next) return
  working += 1
  setTimeout(() => {
    working -= 1
    next.send()
    take()
  }, next.cost)
}

const server = createServer((request, response) => {
  const [path] = request.url.split('?', 1)
  if (path === '/api/stream') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': ping\n\n')
    return
  }
  response.setHeader('Content-Type', 'application/json')
  const body =
    path === '/api/user/repos' ? list : path === '/version' ? '{"version":"2.25.0"}' : '{"id":1,"slug":"a/b"}'
  const send = () => response.end(path === '/api/user/builds/recent' ? '[]' : body)
  const cost = costs[path]
  if (cost === undefined) return send()
  waiting.push({ cost, send })
  take()
})
server.listen(0, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${server.address().port}`))
