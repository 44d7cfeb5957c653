#!/usr/bin/env bash
# Fetches what the chains use into CHAINS: node_modules, Python tools, Go tools, and the sources of real packages that are then broken.
set -u
: "${CHAINS:=/tmp/cb}"
mkdir -p "$CHAINS"/{bin,cache,src/npm,src/py,src/go,src/crates,work}
apt-get update && apt-get install -y --no-install-recommends elixir erlang-dev erlang-eunit ocaml-dune ocaml nim gnat gprbuild gfortran r-base-core \
  r-cran-testthat rubocop cucumber php-codesniffer clang-tidy clang-format check libcmocka-dev catch2 libboost-test-dev ant debhelper lintian rpm \
  asciidoctor lua-busted lua-check gcovr scons nginx-light protobuf-compiler ghc cabal-install libghc-hspec-dev hugo iverilog verilator puppet-lint \
  mariadb-server redis-server scala buildah texlive-latex-base latexmk libperl-critic-perl postgresql chromium gdb valgrind
python3 -m venv "$CHAINS/venv" && "$CHAINS/venv/bin/pip" install uv
"$CHAINS/venv/bin/uv" pip install --python "$CHAINS/venv/bin/python" pytest pytest-xdist pytest-timeout pytest-rerunfailures pytest-benchmark syrupy \
  pytest-bdd pytest-asyncio pytest-cov pytest-mock nox behave alembic sqlalchemy pre-commit pyright sphinx mypy ruff yamllint hypothesis poetry pipenv \
  isort mkdocs gitlint numpy pandas cython import-linter deptry twine build check-jsonschema cfn-lint pydantic fastapi httpx django hatchling ziglang \
  ansible-lint nbconvert ipykernel nbmake bandit
export GOBIN=$CHAINS/bin
for m in honnef.co/go/tools/cmd/staticcheck@latest github.com/onsi/ginkgo/v2/ginkgo@v2.20.0 mvdan.cc/sh/v3/cmd/shfmt@latest \
  github.com/rhysd/actionlint/cmd/actionlint@latest github.com/yannh/kubeconform/cmd/kubeconform@latest github.com/pressly/goose/v3/cmd/goose@latest \
  github.com/golangci/golangci-lint/cmd/golangci-lint@v1.64.8; do go install "$m"; done
fill() {
  mkdir -p "$CHAINS/cache/$1" && cd "$CHAINS/cache/$1" && echo '{"private":true}' > package.json
  shift
  npm install --no-audit --no-fund --ignore-scripts --legacy-peer-deps "$@"
}
fill lint eslint@9 @eslint/js typescript-eslint typescript@5.9 eslint-plugin-import prettier stylelint stylelint-config-standard cspell markdownlint-cli2 \
  @commitlint/cli @commitlint/config-conventional knip madge depcheck dependency-cruiser publint
fill mono turbo wireit npm-run-all2 concurrently@8
fill nx nx@18
fill lerna lerna@7
fill runtimes deno bun
cp "$CHAINS"/cache/runtimes/node_modules/@oven/bun-linux-x64/bin/bun "$CHAINS"/cache/runtimes/node_modules/@deno/linux-x64-glibc/deno "$CHAINS/bin/"
cd "$CHAINS/src/npm" && npm pack -s minimist@1.2.8 resolve@1.22.1 object-inspect@1.12.3 qs@6.11.0 deep-equal@2.0.5
cd "$CHAINS/src/py" && for p in sqlparse toolz more-itertools jinja2 click networkx marshmallow; do pip download -q --no-deps --no-binary "$p" "$p"; done
cd "$CHAINS/src/go" && printf 'module example.com/fetch\n\ngo 1.22\n' > go.mod && go mod download github.com/spf13/cobra@v1.8.0 github.com/spf13/pflag@v1.0.5 \
  github.com/pkg/errors@v0.9.1 github.com/sirupsen/logrus@v1.9.3 github.com/google/go-cmp@v0.6.0 github.com/robfig/cron/v3@v3.0.1 \
  github.com/onsi/ginkgo/v2@v2.20.0 github.com/onsi/gomega@v1.34.0
cd "$CHAINS/src/crates" && cargo init -q --name fetch --vcs none . && for c in semver@1.0 httparse@1.10 heck@0.4.1 textwrap@0.16 strsim@0.11; do cargo add -q "$c"; done
cargo fetch
# Debian's sources of C projects: zlib, redis, cjson, libyaml, tinyxml2, lua5.4.
sed 's/^Types: deb$/Types: deb-src/' /etc/apt/sources.list.d/debian.sources > "$CHAINS/src.sources"
cd "$CHAINS/src" && for p in zlib redis cjson libyaml tinyxml2 lua5.4; do apt-get -o Dir::Etc::sourcelist="$CHAINS/src.sources" source --download-only "$p"; done
