#!/usr/bin/env bash
. "$(dirname "$0")/lib.sh"
: "${CACHE:=/tmp/c/cache}"
mods() { [ -n "$SKIP" ] || cp -al "$CACHE/$1/node_modules" node_modules; }
pkg() { printf '{\n  "name": "shop",\n  "version": "1.4.0",\n  "private": true,\n  "scripts": {\n%b\n  }%b\n}\n' "$1" "${2:-}" > package.json; }

new eslint-errors-after-warnings eslint
mkdir src; mods eslint__eslint_js_typescript_eslint_typescript_5_9
cat > eslint.config.mjs <<'E'
import js from '@eslint/js'
export default [{ ...js.configs.recommended, rules: { ...js.configs.recommended.rules, 'no-unused-vars': 'warn', 'no-console': 'warn' } }]
E
for i in $(seq 1 45); do printf "export function error$i(err) { return $i }\n" > src/error$i.js; done
printf "export function save(order) {\n  if (order.total = 0) throw new Error('empty')\n  return persist(order)\n}\n" > src/order.js
pkg '    "lint": "eslint src"'
run <<'END'
npm run lint
END

new eslint8-max-warnings eslint
mkdir src; mods eslint_8; echo '{"root": true, "env": {"es2022": true}, "parserOptions": {"sourceType": "module"}, "rules": {"no-unused-vars": "warn"}}' > .eslintrc.json
printf "const a = 1\nconst b = 2\n" > src/a.js
run <<'END'
npx eslint --max-warnings 0 src
END

new prettier-check prettier
mkdir src; mods prettier__biomejs_biome_oxlint; for i in 1 2 3 4 5; do echo "export const a$i = $i;" > src/ok$i.js; done; echo "export const  b = {a:1 }" > src/cart.js; echo "export const c = 'x'" > src/list.js
run <<'END'
npx prettier --check src
END

new biome biome
mkdir src; mods prettier__biomejs_biome_oxlint; printf "export function f(a) {\n\tdebugger;\n\tif (a == 1) return a;\n}\n" > src/a.js
run <<'END'
npx biome lint src
END

new oxlint oxlint
mkdir src; mods prettier__biomejs_biome_oxlint; for i in $(seq 1 10); do printf "const error$i = 1\n" > src/e$i.js; done; printf "for (let i = 0; i < 10; i--) { console.log(i) }\nif (x === NaN) throw 1\n" > src/loop.js
run <<'END'
npx oxlint -D correctness src
END

new webpack webpack
mkdir src; mods webpack_webpack_cli_ts_loader_typescript_5_9
echo "module.exports = { mode: 'production', entry: './src/index.js', module: { rules: [] } }" > webpack.config.js
printf "import { render } from './view'\nimport './style.css'\nimport('./missing/page').then(render)\n" > src/index.js; echo "export const render = (x) => x" > src/view.js; echo "body { color: red }" > src/style.css
pkg '    "build": "webpack"'
run <<'END'
npm run build
END

new vite-build vite
mods vite_react_react_dom__vitejs_plugin_react; mkdir src; echo '<div id="r"></div><script type="module" src="/src/main.jsx"></script>' > index.html
printf "import { createRoot } from 'react-dom/client'\nimport { App } from './App'\nimport { formatPrice } from './format'\ncreateRoot(document.getElementById('r')).render(<App p={formatPrice(1)} />)\n" > src/main.jsx
echo "export const App = (p) => <b>{p.p}</b>" > src/App.jsx; echo "export const format = (x) => x" > src/format.js
pkg '    "build": "vite build"' ', "type": "module"'; echo "import react from '@vitejs/plugin-react'; export default { plugins: [react()] }" > vite.config.js
run <<'END'
npm run build
END

new rollup rollup
mods rollup_esbuild; mkdir src; printf "import { helper } from './util.js'\nconsole.log(helper(1)\n" > src/main.js; echo "export const helper = 1" > src/util.js
run <<'END'
npx rollup src/main.js --format es --file dist/main.js
END

new esbuild esbuild
mods rollup_esbuild; mkdir src; printf "import pg from 'pg'\nimport { a } from './a'\nconst x = a as number\nconsole.log(pg, x)\n" > src/main.ts; echo "export const b = 1" > src/a.ts
run <<'END'
npx esbuild --version
npx esbuild src/main.ts --bundle --platform=node --outfile=dist/main.js --log-level=info
END

new tap tap
mods tap; mkdir test; cat > test/a.test.js <<'E'
const t = require('tap')
t.test('expected errors', (t) => { t.throws(() => { throw new Error('failed') }); t.end() })
t.test('order of keys', (t) => { t.same({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] }); t.end() })
E
run <<'END'
node test/a.test.js
END

new ava ava
mods ava; mkdir test; cat > test/a.test.mjs <<'E'
import test from 'ava'
for (let i = 0; i < 12; i++) test('error ' + i, (t) => t.pass())
test('slug', (t) => { t.is('Hello World'.toLowerCase().replace(' ', '_'), 'hello-world') })
E
run <<'END'
npx ava
END

new playwright-no-browser playwright
mods _playwright_test; mkdir e2e; echo "import { test, expect } from '@playwright/test'
test('signs in', async ({ page }) => { await page.goto('http://127.0.0.1:1/'); await expect(page.getByText('Sign in')).toBeVisible() })
test('adds', () => { expect(1).toBe(1) })" > e2e/login.spec.ts
run <<'END'
npx playwright test --reporter=list
END

new jasmine jasmine
mods jasmine; mkdir -p spec/support; echo '{"spec_dir":"spec","spec_files":["**/*.js"],"random":false}' > spec/support/jasmine.json
echo "describe('stock', () => { for (let i=0;i<20;i++) it('w'+i, () => expect(1).toBe(1)); it('reserves', () => { const s = { free: 2 }; s.free -= 3; expect(s.free).toBeGreaterThanOrEqual(0) }) })" > spec/stock.js
run <<'END'
npx jasmine --no-color
END

new stylelint stylelint
mods stylelint_stylelint_config_standard; mkdir src; echo '{"extends": "stylelint-config-standard"}' > .stylelintrc.json; printf "a { colr: red; }\n\nb { color: #FFFFFF; }\n" > src/a.css
run <<'END'
npx stylelint "src/**/*.css"
END

new pnpm-frozen pnpm
PATH=$CACHE/pnpm/node_modules/.bin:$PATH
pkg '    "test": "true"' ', "dependencies": {"ms": "^2.1.3"}'; printf "lockfileVersion: '9.0'\n\nsettings:\n  autoInstallPeers: true\n  excludeLinksFromLockfile: false\n\nimporters:\n\n  .: {}\n" > pnpm-lock.yaml
run <<'END'
pnpm --version
pnpm install --frozen-lockfile
END

new rspec rspec
mkdir spec; cat > spec/cart_spec.rb <<'E'
class Cart; def initialize; @i = []; end; def add(p, n) = @i << [p, n]; def total = @i.sum { |p, n| p }; end
RSpec.describe Cart do
  30.times { |i| it("raises error #{i}") { expect { raise 'failed' }.to raise_error('failed') } }
  it('multiplies') { c = Cart.new; c.add(5, 3); expect(c.total).to eq 15 }
  it('is nil safe') { nil.length }
end
E
run <<'END'
ruby --version
rspec --format documentation
END

new ruby-load ruby
printf "require_relative 'lib/app'\n" > main.rb; mkdir lib; printf "require 'nokogiri_nope'\nclass App; end\n" > lib/app.rb
run <<'END'
ruby -wc main.rb
ruby main.rb
END

new bundler bundler
printf "source 'https://registry.example'\ngem 'rails', '~> 7.1'\n" > Gemfile
run <<'END'
bundle config set --local path vendor/bundle
bundle install --jobs 4 --retry 1
bundle exec rspec
END

new phpunit phpunit
mkdir tests; cat > tests/CartTest.php <<'E'
<?php
use PHPUnit\Framework\TestCase;
final class CartTest extends TestCase {
  /** @dataProvider codes */ public function testError(int $c): void { $this->assertGreaterThan(399, $c); }
  public static function codes(): array { return array_map(fn($i) => [400 + $i], range(0, 40)); }
  public function testTax(): void { $this->assertSame(23.79, 19.99 * 1.19); }
  public function testWarn(): void { $this->assertSame(1, strpos('abc', 'c')); }
}
E
run <<'END'
php --version
phpunit --colors=never tests
END

new php-fatal php
printf '<?php\nfunction load(array $c): string { return $c["name"]; }\nfor ($i = 0; $i < 12; $i++) { echo "migrating error_log_$i: ok\\n"; }\necho $undefined;\necho load(null);\n' > migrate.php
run <<'END'
php -l migrate.php
php -d display_errors=1 migrate.php
END

new perl-test perl
mkdir t lib; printf 'package Shop; use strict; sub cents { my $s = shift; return int($s * 100) } 1;\n' > lib/Shop.pm
printf 'use strict; use Test::More; use Shop; diag("error: expected by the test"); ok(1, "failed $_") for 1..30; is(Shop::cents(19.99), 1999, "keeps cents"); done_testing;\n' > t/cents.t; printf 'use Test::More; ok(1); done_testing;\n' > t/a.t
run <<'END'
perl -v | head -2 | tail -1
prove -Ilib -v t
END

new perl-missing perl
printf 'use strict;\nuse warnings;\nuse LWP::NopeAgent;\nprint "x\\n";\n' > get.pl
run <<'END'
perl get.pl
END

new bats bats
mkdir test; cat > test/cli.bats <<'E'
@test "prints an error for unknown options" { run ls --nope; [ "$status" -eq 2 ]; }
@test "prints its version" { run bash -c 'echo "tool 1.4.1"'; [ "$output" = "tool 1.4.2" ]; }
@test "fails without a file" { run cat /nope; [ "$status" -ne 0 ]; }
E
run <<'END'
bats test
END

new shellcheck shellcheck
printf '#!/bin/sh\nfor f in $(ls *.txt); do\n  rm $f\ndone\nif [ $1 == "x" ]; then echo x; fi\n' > clean.sh
run <<'END'
shellcheck clean.sh
END

new ansible-undefined ansible
cat > site.yml <<'E'
- hosts: localhost
  connection: local
  gather_facts: false
  tasks:
    - name: Ignore a failing check
      command: /bin/false
      ignore_errors: true
    - name: Write the configuration
      copy: { content: "port={{ app_port }}\n", dest: /tmp/app.conf }
    - name: Restart
      command: /bin/true
E
run <<'END'
ansible-playbook -i localhost, site.yml
END

new terraform-validate terraform
cat > main.tf <<'E'
variable "size" { type = number }
locals { names = [for i in range(var.size) : "web-${i}"] }
output "first" { value = local.name[0] }
E
run <<'END'
terraform version
terraform init -no-color
terraform validate -no-color
END

new kubectl-no-login kubectl
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n' > a.yml
run <<'END'
kubectl --server=https://127.0.0.1:6443 apply -f a.yml
END

new docker-no-daemon docker
printf 'FROM alpine:3.20\nRUN echo hi\n' > Dockerfile
run <<'END'
docker --version
docker build -t shop:latest .
END

new sqlite-migration sqlite3
mkdir m; echo 'CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE);' > m/001.sql; echo "INSERT INTO users (email) VALUES ('a@example.com'), ('b@example.com'), ('a@example.com');" > m/002.sql; echo 'ALTER TABLE user ADD COLUMN name TEXT;' > m/003.sql
run <<'END'
for f in m/*.sql; do echo "applying $f"; sqlite3 -bail app.db < $f; done
END

new psql-refused psql
run <<'END'
until psql -h 127.0.0.1 -p 1 -U app -c 'select 1' || [ $((n=${n:-0}+1)) -ge 3 ]; do echo "error: database is not ready, retrying"; done
psql -h 127.0.0.1 -p 1 -U app -d shop -f schema.sql
END
