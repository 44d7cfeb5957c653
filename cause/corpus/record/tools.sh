#!/usr/bin/env bash
# Fetches what the recordings use: folders of node_modules in CACHE, Python tools in VENV, the rest from the distribution.
set -u
: "${CACHE:=/tmp/c/cache}" "${VENV:=/tmp/c/venv}"
apt-get update && apt-get install -y --no-install-recommends clang meson autoconf automake libtool shellcheck yamllint bats ruby ruby-rspec \
  ruby-minitest rake bundler php-cli phpunit composer ansible-core gradle lua5.4 tox cppcheck libgtest-dev openssl valgrind sqlite3
python3 -m venv "$VENV" && "$VENV/bin/pip" install pytest pytest-xdist pytest-asyncio pytest-cov hypothesis mypy ruff flake8 black tox pylint \
  django flask sqlfluff yamllint robotframework
fill() {
  local folder=$CACHE/$1
  shift
  mkdir -p "$folder" && cd "$folder" && echo '{"private":true}' > package.json && npm install --no-audit --no-fund --ignore-scripts "$@"
}
fill jest_29 jest@29
fill jest_ts_jest_typescript_5_9 jest ts-jest typescript@5.9
fill mocha_chai mocha chai
fill typescript_5_6_3 typescript@5.6.3
fill typescript typescript
fill vitest vitest
fill vitest_1 vitest@1
fill vcov vitest @vitest/coverage-v8
fill eslint__eslint_js_typescript_eslint_typescript_5_9 eslint @eslint/js typescript-eslint typescript@5.9
fill eslint_8 eslint@8
fill prettier__biomejs_biome_oxlint prettier @biomejs/biome oxlint
fill webpack_webpack_cli_ts_loader_typescript_5_9 webpack webpack-cli ts-loader typescript@5.9
fill vite_react_react_dom__vitejs_plugin_react vite react react-dom @vitejs/plugin-react
fill rollup_esbuild rollup esbuild
fill tap tap
fill ava ava
fill jasmine jasmine
fill _playwright_test @playwright/test
fill next_14_react_18_react_dom_18 next@14 react@18 react-dom@18
fill stylelint_stylelint_config_standard stylelint stylelint-config-standard
fill conc concurrently tsx npm-run-all
for v in 6 9 10; do fill npm$v npm@$v; done
fill pnpm pnpm@9
fill yarn yarn@1
